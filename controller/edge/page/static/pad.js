// The pad on which a person enters a card: choose, look at it big, enter. Two taps, so that a slip of the finger is no card.
import { RANKS, SUITS, fill, inline, make, name, once, rankText, suit } from "/static/dom.js";

const OTHERS = ["cut", "joker", "back"];

let chosen = null;

// `key` says what the card is for: another reason or another view asks anew.
// The request carries the `seq` of the view that the person looked at: two people who enter one card enter it once.
export function renderPad(shown, key, seq, ask) {
  const pad = document.getElementById("pad");
  pad.hidden = !shown;
  if (!shown) return;
  fill("pad", [key, seq], () => {
    chosen = null;
    return [...SUITS.flatMap((letter) => RANKS.map((rank) => cardKey(rank + letter))), side(seq, ask)];
  });
}

function cardKey(symbol) {
  return key(symbol, symbol[1], rankText(symbol), suit(symbol[1]));
}

function key(symbol, className, ...face) {
  const button = make("button", className, ...face);
  button.dataset.symbol = symbol;
  button.setAttribute("aria-label", name(symbol));
  button.setAttribute("aria-pressed", "false");
  button.onclick = () => choose(symbol);
  return button;
}

function side(seq, ask) {
  const enter = make("button", "enter", "Choose a card");
  enter.id = "enter";
  enter.disabled = true;
  enter.onclick = () => once(enter, () => ask({ type: "card-entered", symbol: chosen }, seq));
  return make("div", "pad-side", enter, make("div", "others", ...OTHERS.map((symbol) => key(symbol, "", symbol))));
}

function choose(symbol) {
  chosen = symbol;
  for (const button of document.querySelectorAll("#pad button[data-symbol]")) {
    button.setAttribute("aria-pressed", String(button.dataset.symbol === symbol));
  }
  const enter = document.getElementById("enter");
  enter.disabled = false;
  enter.className = `enter ${symbol.length === 2 ? symbol[1] : ""}`;
  enter.replaceChildren("Enter", make("b", "", ...inline(symbol)));
}
