// Draws a whole view; knows no game: rows, results, prompt and hold are data.
import { card, fill, make, once } from "/static/dom.js";
import { renderHold, togglePad } from "/static/hold.js";
import { askName } from "/static/name.js";
import { renderShoe } from "/static/shoe.js";
import { openBet } from "/static/bets.js";
import { openCorrection } from "/static/correct.js";
import { renderSettled } from "/static/settled.js";
import { renderStakes } from "/static/stakes.js";
import { actionWords, resultWords, roundWord, rowName, rowTotal, shoeWord, title } from "/static/words.js";

// Each request that needs nothing but a tap: what it says as the one that goes on, what it says beside another.
const ACTIONS = {
  confirmed: ["Confirm: the cloth shows this", "Confirm", { type: "confirmed" }],
  "shoe-loaded": ["New shoe is in place", "New shoe", { type: "shoe-loaded" }],
  "portion-loaded": ["Next portion is in place", "Next portion", { type: "portion-loaded" }],
  "round-opened": ["Open the next ROUND", "Open the ROUND", { type: "round-opened" }],
  "banker-sought": ["Find the first banker", "Find the banker", { type: "banker-sought" }],
  "bank-passed": ["Pass the bank", "Pass the bank", { type: "bank-passed" }],
  "shoe-ended": ["End the shoe", "End the shoe", { type: "shoe-ended" }],
  "shoe-exhausted": ["The shoe is empty", "Shoe is empty", { type: "shoe-exhausted" }],
  "count-opened": ["Check the decks", "Deck check", { type: "count-opened" }],
  "count-closed": ["All cards are through: sign", "Count: sign", { type: "count-closed" }],
  "count-abandoned": ["Abandon the check", "Abandon", { type: "count-abandoned" }],
  "table-closed": ["Close the table", "Close table", { type: "table-closed" }],
  undone: ["Take back the last card", "Take back", { type: "undone", by: "supervisor" }],
};
const NEVER_FIRST = new Set(["count-abandoned", "undone", "shoe-ended", "shoe-exhausted", "table-closed"]);
const SIGNED = new Set(["count-closed"]);
const MANY = 10; // cards of a row from which on it is drawn in two lines
const DEVICE_CLASS = { ok: "ok", starting: "warn", lost: "bad" };

let latest = null;

export function render(view, ask) {
  document.body.dataset.phase = view.phase;
  document.body.dataset.game = view.game;
  document.body.dataset.seq = view.seq;
  renderBar(view);
  renderRows(view);
  renderDealer(view, ask);
  renderStakes(view, ask);
  renderSettled(view);
  renderBoard(view);
  renderShoe(view, ask);
  renderHold(view, ask);
}

function renderBar(view) {
  document.getElementById("game").textContent = title(view.game);
  fill("round", [view.game, view.round], () => [`${title(roundWord(view))} `, make("b", "", String(view.round))]);
  fill("shoe", view.shoe, () => shoeText(view));
  fill("devices", [view.devices, view.shoe], () => [...view.devices.map(deviceChip), shoeChip(view)]);
}

function shoeText(view) {
  const shoe = view.shoe;
  return shoe.loaded ? ["Card ", make("b", "", String(shoe.index)), ` of ${shoeWord(view) === "box" ? "pack" : "shoe"} ${shoe.number}`] : [];
}

function deviceChip(device) {
  const text = device.state === "ok" ? title(device.name) : `${title(device.name)} ${device.state}`;
  return chip(DEVICE_CLASS[device.state] ?? "warn", text, device.detail || device.state);
}

function shoeChip(view) {
  const shoe = view.shoe;
  const word = shoeWord(view);
  if (shoe.lid_open) return chip("bad", `${title(word)} lid open`, `the lid of the ${word} is open`);
  if (!shoe.loaded) return chip("warn", `No ${word}`, `no ${word} is loaded`);
  return shoe.cut_seen ? chip("warn", "Cut card out", "the shoe ends after this round") : chip("ok", title(word), "loaded");
}

function chip(state, text, detail) {
  const element = make("li", state, make("span", "", text));
  element.title = detail;
  return element;
}

function renderRows(view) {
  const won = view.phase === "result" ? view.results[0]?.outcome : null;
  fill("rows", view.rows.map((row) => row.name), () => view.rows.map((row) => emptyRow(view, row)));
  const boxes = document.getElementById("rows").children;
  view.rows.forEach((row, place) => updateRow(view, boxes[place], row, row.name === view.active, row.name === won));
}

function emptyRow(view, row) {
  const name = make("div", "row-name", make("span", "", rowName(view, row.name)), make("span", "next-mark", "next card"));
  const box = make("article", "row", name, make("div", "cards", make("div", "fan")), make("div", "total", make("b"), make("small")));
  box.dataset.name = row.name;
  return box;
}

function updateRow(view, box, row, next, won) {
  box.className = `row ${row.name === "fan" ? "fan-row" : row.name}`;
  box.classList.toggle("next", next);
  box.classList.toggle("won", won);
  box.classList.toggle("complete", row.complete);
  box.classList.toggle("waiting", !row.cards.length);
  const [total, unit] = rowTotal(view, row);
  box.querySelector(".total b").textContent = total;
  box.querySelector(".total small").textContent = unit;
  const fan = box.querySelector(".fan");
  fan.classList.toggle("many", row.cards.length > MANY);
  const wanted = row.cards.map((symbol, place) => [symbol, row.manual.includes(place)]);
  const kept = sameStart(fan, wanted);
  while (fan.children.length > kept) fan.lastChild.remove();
  for (const [symbol, byHand] of wanted.slice(kept)) fan.append(slot(symbol, byHand));
}

// How many cards at the row's start stay as they are; only newer ones are drawn anew.
function sameStart(fan, wanted) {
  const keys = wanted.map(String);
  const drawn = [...fan.children].map((element) => element.dataset.key);
  const differing = keys.findIndex((key, place) => drawn[place] !== key);
  return differing < 0 ? keys.length : differing;
}

function slot(symbol, byHand) {
  const face = card(symbol, byHand);
  face.classList.add("fresh");
  const element = make("div", "slot", face);
  element.dataset.key = String([symbol, byHand]);
  return element;
}

function renderDealer(view, ask) {
  const lost = view.devices.filter((device) => device.state === "lost");
  document.getElementById("notice").textContent = lost.map((device) => `${title(device.name)}: ${device.detail}`).join("\n");
  document.getElementById("announcement").textContent = view.announcement;
  fill("call", view.call, () => view.call.map((line) => make("span", "", line)));
  document.getElementById("prompt").textContent = view.prompt.text;
  document.querySelector(".say").classList.toggle("called", view.call.length > 0);
  latest = view;
  fill("actions", [view.prompt.requests, view.hold !== null], () => {
    return view.prompt.requests.flatMap((tag, place) => actionButtons(tag, place === 0, ask));
  });
}

function actionButtons(tag, first, ask) {
  if (tag === "double-decided") {
    return [true, false].map((double) => actionButton(double ? "Double" : "No double", { type: tag, double }, true, ask));
  }
  if (tag === "card-entered" && latest.hold === null) return [padButton(ask)];
  if (tag === "bet-placed") return [opener("Stake", tag, () => openBet(latest, ask))];
  if (tag === "card-corrected") return [opener("Correct", tag, () => openCorrection(latest, ask))];
  const known = ACTIONS[tag];
  if (!known) return [];
  const words = actionWords(latest, tag, known);
  const main = first && !NEVER_FIRST.has(tag);
  return [actionButton(words[main ? 0 : 1].replace("ROUND", roundWord(latest)), known[2], main, ask)];
}

function opener(text, tag, open) {
  const button = make("button", "quiet", text);
  button.dataset.opens = tag;
  button.onclick = open;
  return button;
}

function padButton(ask) {
  const button = make("button", "quiet", "By hand");
  button.id = "by-hand";
  button.onclick = () => togglePad(latest, ask);
  return button;
}

function actionButton(text, request, main, ask) {
  const button = make("button", main ? "main" : "quiet", text);
  button.dataset.request = request.type;
  button.onclick = () => once(button, () => (SIGNED.has(request.type) ? signed(request, ask) : ask(request, latest.seq)));
  return button;
}

// A receipt says who counted.
async function signed(request, ask) {
  const seq = latest.seq;
  const by = await askName("Who counted these cards?");
  if (by !== null) await ask({ ...request, by }, seq);
}

function renderBoard(view) {
  fill("board", view.results, () => view.results.slice(0, 40).map((result) => resultBox(view, result)));
}

function resultBox(view, result) {
  const [letter, kind, first, second] = resultWords(view, result);
  const number = make("span", result.manual ? "hand-made" : "", result.manual ? `${result.round} ✎` : String(result.round));
  const box = make("article", "result", number, make("i", kind, letter));
  box.append(make("span", "", first, make("br"), second));
  box.title = [result.outcome, ...result.call].join(", ");
  return box;
}
