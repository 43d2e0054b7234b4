// What the parts of each game are called on the page; an unknown row keeps its own name.
const ROUNDS = { "trente-et-quarante": "coup", zecchinetta: "hand" };
const ROWS = { zecchinetta: { banker: "Banker", box: "In the box", fan: "Dead cards" } };
const LETTERS = { "refait-31": "R 31", refait: "Ref", void: "void", settled: "✓", "bank-loses": "B" };
const ACTIONS = {
  zecchinetta: { "shoe-loaded": ["A shuffled pack is in the box", "New pack"], undone: ["Take back the last card", "Take back"] },
};

export const roundWord = (view) => ROUNDS[view.game] ?? "round";
export const title = (text) => text.replaceAll("-", " ").replace(/^./, (first) => first.toUpperCase());
export const shoeWord = (view) => (view.game === "zecchinetta" ? "box" : "shoe");
export const isPile = (view, row) => view.game === "zecchinetta" && !(row.name in ROWS.zecchinetta);

export function rowName(view, name) {
  if (view.game === "red-and-black") return `Seat ${name}`;
  return ROWS[view.game]?.[name] ?? (view.game === "zecchinetta" && name === "T" ? "10" : name);
}

// What stands at a row's end: noir's and rouge's points, how many of a hand are red.
export function rowTotal(view, row) {
  if (row.total === null) return ["", ""];
  if (!row.cards.length) return ["–", ""];
  return [String(row.total), view.game === "red-and-black" ? "red" : ""];
}

export const actionWords = (view, tag, words) => ACTIONS[view.game]?.[tag] ?? words;

// A finished round on the board: its letter, its class, and two short lines.
export function resultWords(view, result) {
  const tie = result.outcome.startsWith("refait");
  const letter = LETTERS[result.outcome] ?? result.outcome[0].toUpperCase();
  if (result.outcome === "bank-loses") {
    return [letter, "bank-loses", `${result.totals[0]} turns`, result.call.length ? `won ${result.call.join(" ")}` : ""];
  }
  if (result.outcome === "settled") {
    const only = result.totals.length === 1 ? (result.totals[0] > 2 ? "red" : "black") : "settled";
    return [only === "settled" ? letter : only[0].toUpperCase(), only, result.totals.map((red) => `${red}–${5 - red}`).join(" "), "red–black"];
  }
  const couleur = { gagne: "coul.", perd: "inv." }[result.couleur] ?? (tie ? "après" : "");
  return [letter, tie ? "tie" : result.outcome, result.totals.join("–"), couleur];
}
