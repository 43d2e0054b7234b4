// Small helpers to make elements, and how a symbol is drawn.
const SVG = "http://www.w3.org/2000/svg";
export const RANKS = [..."A23456789TJQK"];
export const SUITS = [..."shdc"];
const WORDS = { back: "face down", joker: "joker", cut: "cut card" };

export function make(tag, className = "", ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

export function suit(letter, className = "") {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", className);
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${letter}`);
  svg.append(use);
  return svg;
}

export const isCard = (symbol) => symbol.length === 2;
export const rankText = (symbol) => (symbol[0] === "T" ? "10" : symbol[0]);
export const name = (symbol) => WORDS[symbol] ?? symbol;

// A symbol in running text: rank and drawn suit, or its word.
export function inline(symbol) {
  return isCard(symbol) ? [rankText(symbol), suit(symbol[1])] : [name(symbol)];
}

export function card(symbol, byHand) {
  const classes = `card ${isCard(symbol) ? symbol[1] : ""}${byHand ? " by-hand" : ""}`;
  const face = isCard(symbol)
    ? [make("span", "rank", rankText(symbol)), suit(symbol[1], "small"), suit(symbol[1], "big")]
    : [make("span", "word", name(symbol))];
  const element = make("div", classes, ...face);
  element.dataset.symbol = symbol;
  return element;
}

// Replace a box's children only where what it shows has changed: no flicker, no lost finger on a button.
export function fill(id, key, children) {
  const box = document.getElementById(id);
  const wanted = JSON.stringify(key);
  if (box.dataset.key === wanted) return;
  box.dataset.key = wanted;
  box.replaceChildren(...children());
}

// A finger that taps twice asks once.
export async function once(button, work) {
  if (button.disabled) return;
  button.disabled = true;
  await work();
  button.disabled = false;
}
