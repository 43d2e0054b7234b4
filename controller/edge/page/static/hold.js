// The hold banner, its resolutions, and the pad on which a person enters a card that was not read.
import { RANKS, SUITS, fill, inline, make, name, suit, rankText } from "/static/dom.js";
import { once } from "/static/render.js";

const TITLES = {
  unread: "Card not read", gap: "Cards missing", restored: "Restarted: is this right?", composition: "Impossible card",
  foreign: "Card of no use here", overdraw: "One card too many", device: "Device lost", journal: "Journal cannot be written",
};
const RESOLUTIONS = { "put-back": "Put it back", burn: "Burn it", void: "Void the coup", next: "It opens the next coup" };
const OTHERS = ["cut", "joker", "back"];

let chosen = null;

export function renderHold(view, ask) {
  const hold = view.hold;
  const box = document.getElementById("hold");
  box.hidden = hold === null;
  if (hold === null) {
    delete document.body.dataset.hold;
    chosen = null;
    return;
  }
  document.body.dataset.hold = hold.enter ? "pad" : "banner";
  box.classList.toggle("ask", hold.enter || hold.code === "restored");
  document.getElementById("hold-title").textContent = heading(hold);
  document.getElementById("hold-text").textContent = hold.text;
  fill("resolutions", [hold, view.seq], () => hold.resolutions.map((name) => resolution(name, view.seq, ask)));
  renderPad(hold, view.seq, ask);
}

function heading(hold) {
  const title = TITLES[hold.code] ?? "The table is on hold";
  return hold.code === "gap" && hold.count > 0 ? `${title}: ${hold.count}` : title;
}

function resolution(tag, seq, ask) {
  const button = make("button", "", RESOLUTIONS[tag] ?? tag);
  button.dataset.resolution = tag;
  button.onclick = () => once(button, () => ask({ type: "fault-resolved", resolution: tag }, seq));
  return button;
}

// The request carries the `seq` of the view that the person looked at: two people who enter one card enter it once.
function renderPad(hold, seq, ask) {
  const pad = document.getElementById("pad");
  pad.hidden = !hold.enter;
  if (!hold.enter) return;
  fill("pad", [hold, seq], () => {
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
