"""What is said at the table, as data: by tradition in French, with Italian, English and Russian beside it (TQ-4, TQ-7).

The `call` of a coup's outcome is always TQ-7's French; this is what the dealer says aloud, and what the signs show.
"""

from __future__ import annotations

APRES = "Après"
UN_APRES = "Un après"
# Rouge wins, couleur wins: the two parts of the call.
CALLS: dict[tuple[bool, bool], tuple[str, str]] = {
    (True, True): ("Rouge gagne", "Couleur gagne"),
    (True, False): ("Rouge gagne", "Couleur perd"),
    (False, True): ("Rouge perd", "Couleur gagne"),
    (False, False): ("Rouge perd", "Couleur perd"),
}

LANGUAGES = ("fr", "it", "en", "ru")

# A row's total by its units, from 31 on (TQ-4); 40 has no unit and is said in full.
UNITS: dict[str, tuple[str, ...]] = {
    "fr": ("un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "quarante"),
    "it": ("uno", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove", "quaranta"),
    "en": ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "forty"),
    "ru": ("один", "два", "три", "четыре", "пять", "шесть", "семь", "восемь", "девять", "сорок"),
}
TOTALS: dict[str, tuple[str, ...]] = {
    "fr": (
        "trente et un", "trente-deux", "trente-trois", "trente-quatre", "trente-cinq", "trente-six", "trente-sept",
        "trente-huit", "trente-neuf", "quarante",
    ),
    "it": (
        "trentuno", "trentadue", "trentatré", "trentaquattro", "trentacinque", "trentasei", "trentasette", "trentotto",
        "trentanove", "quaranta",
    ),
    "en": (
        "thirty-one", "thirty-two", "thirty-three", "thirty-four", "thirty-five", "thirty-six", "thirty-seven",
        "thirty-eight", "thirty-nine", "forty",
    ),
    "ru": (
        "тридцать один", "тридцать два", "тридцать три", "тридцать четыре", "тридцать пять", "тридцать шесть",
        "тридцать семь", "тридцать восемь", "тридцать девять", "сорок",
    ),
}  # fmt: skip

# The result, said after both points: rouge wins, couleur wins.
RESULTS: dict[str, dict[tuple[bool, bool], str]] = {
    "fr": {
        (True, True): "Rouge gagne et couleur",
        (True, False): "Rouge gagne, la couleur perd",
        (False, True): "Rouge perd, la couleur gagne",
        (False, False): "Rouge perd et couleur",
    },
    "it": {
        (True, True): "Rosso vince e colore",
        (True, False): "Rosso vince, il colore perde",
        (False, True): "Rosso perde, il colore vince",
        (False, False): "Rosso perde e colore",
    },
    "en": {
        (True, True): "Red wins and colour",
        (True, False): "Red wins, colour loses",
        (False, True): "Red loses, colour wins",
        (False, False): "Red loses and colour",
    },
    "ru": {
        (True, True): "Красное выигрывает и цвет",
        (True, False): "Красное выигрывает, цвет проигрывает",
        (False, True): "Красное проигрывает, цвет выигрывает",
        (False, False): "Красное проигрывает и цвет",
    },
}
TIES: dict[str, tuple[str, str]] = {  # refait, refait-31
    "fr": ("Après", "Un après"),
    "it": ("Dopo", "Un dopo"),
    "en": ("Refait", "Refait of thirty-one"),
    "ru": ("Апре", "Ун апре"),
}
BETS_OPEN: dict[str, str] = {
    "fr": "Faites vos jeux",
    "it": "Fate il vostro gioco",
    "en": "Place your bets",
    "ru": "Делайте ставки",
}


def points(language: str, total: int, full: bool) -> str:
    """How a complete row's total, 31 to 40, is called."""
    return (TOTALS if full else UNITS)[language][total - 31]


def result(language: str, outcome: str, couleur: str | None) -> str:
    """How a coup's outcome is announced."""
    if couleur is None:
        return TIES[language][outcome == "refait-31"]
    return RESULTS[language][outcome == "rouge", couleur == "gagne"]


# Red and black: a settled hand, and a seat that may double.
HANDS: dict[str, str] = {
    "fr": "{red} rouges, {black} noires",
    "it": "{red} rosse, {black} nere",
    "en": "{red} red, {black} black",
    "ru": "красных {red}, чёрных {black}",
}
DOUBLES: dict[str, str] = {
    "fr": "Place {seat} : doublez-vous ?",
    "it": "Posto {seat}: raddoppia?",
    "en": "Seat {seat}: double?",
    "ru": "Место {seat}: удваиваете?",
}

# Zecchinetta: what the card in sight did.
EFFECTS: dict[str, dict[str, str]] = {
    "fr": {
        "bank-loses": "{rank} : le banquier perd",
        "bank-wins": "{rank} : le banquier gagne",
        "dead": "{rank} : carte morte",
        "joins": "{rank} rejoint les siens",
        "new": "{rank} : nouvelle carte",
    },
    "it": {
        "bank-loses": "{rank}: il banco perde",
        "bank-wins": "{rank}: il banco vince",
        "dead": "{rank}: carta morta",
        "joins": "{rank} si unisce alle sue",
        "new": "{rank}: carta nuova",
    },
    "en": {
        "bank-loses": "{rank}: the banker loses",
        "bank-wins": "{rank}: the banker wins",
        "dead": "{rank}: dead card",
        "joins": "{rank} joins its own",
        "new": "{rank}: new card",
    },
    "ru": {
        "bank-loses": "{rank}: банкир проигрывает",
        "bank-wins": "{rank}: банкир выигрывает",
        "dead": "{rank}: мёртвая карта",
        "joins": "{rank} присоединяется к своим",
        "new": "{rank}: новая карта",
    },
}
