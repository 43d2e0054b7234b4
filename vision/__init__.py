"""Reading cards: frames to passages to readings. Knows no games; says a card as its two characters."""
