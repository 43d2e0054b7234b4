// A stake is told to the table: by whom, on what, how much. What is allowed is the table's matter; it says why not.
import { make, once, rankText } from "/static/dom.js";
import { choice, closeSheet, openSheet } from "/static/sheet.js";
import { isPile, rowName, title } from "/static/words.js";

const CHANCES = ["noir", "rouge", "couleur", "inverse"];
const AMOUNTS = ["1", "5", "10", "25", "100"];
const ROUND_KEY = { "trente-et-quarante": "coup", "red-and-black": "round", zecchinetta: "hand" };

let lastPlayer = "";

export function openBet(view, ask) {
  const bet = { [ROUND_KEY[view.game]]: view.round };
  const seats = view.game === "red-and-black";
  const player = field("bet-player", "Player", lastPlayer);
  const amount = field("bet-stake", "Stake", "");
  amount.inputMode = "decimal";
  const chips = AMOUNTS.map((value) => [value, value]);
  const who = seats
    ? choice("Seat", view.rows.map((row) => [Number(row.name), row.name]), (seat) => { bet.seat = seat; })
    : make("label", "choice", make("span", "", "Player"), player);
  const enter = make("button", "main", "Lay the stake");
  enter.id = "bet-enter";
  enter.onclick = () => once(enter, async () => {
    if (!seats) bet.player = lastPlayer = player.value.trim();
    bet.stake = amount.value.trim();
    if (await ask({ type: "bet-placed", bet: { ...bet } })) closeSheet();
  });
  openSheet(
    "A stake", who, choice("On", places(view), (on) => { bet.on = on; }), ...insurance(view, bet),
    choice("Stake", chips, (value) => { amount.value = value; }), make("div", "choice", make("span"), amount, enter),
  );
}

function field(id, placeholder, value) {
  const input = make("input");
  Object.assign(input, { id, placeholder, value, maxLength: 40, autocomplete: "off" });
  return input;
}

function places(view) {
  if (view.game === "red-and-black") return [["red", "Red"], ["black", "Black"]];
  if (view.game !== "zecchinetta") return CHANCES.map((chance) => [chance, title(chance)]);
  const live = view.rows.filter((row) => isPile(view, row) && !row.complete);
  return live.map((row) => [row.name, rankText(rowName(view, row.name))]);
}

function insurance(view, bet) {
  if (view.game !== "trente-et-quarante") return [];
  return [choice("Insured", [["no", "No"], ["yes", "Yes"]], (value) => { bet.insured = value === "yes"; })];
}
