// The card on the cloth decides: which card of this round was read wrongly, and what it really is.
import { RANKS, SUITS, inline, make, once } from "/static/dom.js";
import { closeSheet, openSheet } from "/static/sheet.js";

export function openCorrection(view, ask) {
  const cards = view.cards.map((seen) => {
    const button = make("button", `key ${seen.symbol[1] ?? ""}`, ...inline(seen.symbol));
    button.dataset.index = seen.index;
    button.onclick = () => chooseFace(seen, view.seq, ask);
    return button;
  });
  openSheet("Which card is not as it lies there?", make("div", "keys", ...cards));
}

function chooseFace(seen, seq, ask) {
  const keys = SUITS.flatMap((suit) => RANKS.map((rank) => face(rank + suit, seen, seq, ask)));
  openSheet(`Card ${seen.index} is really…`, make("div", "keys thirteen", ...keys));
}

function face(symbol, seen, seq, ask) {
  const button = make("button", `key ${symbol[1]}`, ...inline(symbol));
  button.dataset.symbol = symbol;
  button.disabled = symbol === seen.symbol;
  button.onclick = () => once(button, async () => {
    if (await ask({ type: "card-corrected", index: seen.index, symbol, by: "supervisor" }, seq)) closeSheet();
  });
  return button;
}
