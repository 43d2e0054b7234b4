// The newest settlement, for who collects and pays: each stake with what goes back, the bank's and the house's part.
import { fill, make } from "/static/dom.js";

const WORDS = {
  win: "pay", lose: "collect", push: "give back", half: "half back", prison: "prison", released: "give back", insured: "give back",
};

export function renderSettled(view) {
  const settled = view.phase === "hold" ? null : view.settled.at(-1) ?? null;
  const box = document.getElementById("settled");
  box.hidden = settled === null;
  fill("settled", settled, () => (settled === null ? [] : [...settled.items.map(line), sum(settled)]));
}

function line(item) {
  const amount = item.result === "lose" ? item.stake : item.returned;
  const element = make("li", item.result, make("span", "", `${item.player} · ${item.on}`), make("em", "", `${WORDS[item.result]} ${amount}`));
  return element;
}

function sum(settled) {
  const house = Number(settled.house) ? ` · house ${settled.house}` : "";
  return make("li", "sum", make("span", "", `Bank ${settled.bank}${house}`));
}
