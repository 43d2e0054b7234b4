// What a shoe does around the rounds: a count under way, the receipt that it ends with, and alarms until a named person
// acknowledges them.
import { card, fill, inline, make, once } from "/static/dom.js";
import { askName } from "/static/name.js";

const TITLES = { "deck-check": "Deck check", remainder: "End of shoe" };
const ALARMS_SHOWN = 2;

let stamps = []; // receipts with the journal's time, as fetched last
let fetching = null; // number of the receipt that is being fetched
let newest = null; // the view as drawn last: a fetch may end after another has come

export function renderShoe(view, ask) {
  newest = view;
  const count = view.count;
  const receipt = count === null ? view.receipt : null;
  document.body.dataset.count = count !== null ? "feeding" : receipt !== null ? "receipt" : "";
  const box = document.getElementById("count");
  box.hidden = count === null && receipt === null;
  fill("count", [count, receipt, stamps, view.phase], () => (count ? counting(count) : receipt ? printed(receipt) : []));
  if (receipt !== null) fetchStamps(receipt, ask);
  renderAlarms(view, ask);
}

function counting(count) {
  const title = make("h2", "", TITLES[count.kind]);
  const number = make("p", "counted", make("b", "", String(count.counted)), ` of ${count.expected} cards`);
  const bar = make("progress");
  bar.max = count.expected;
  bar.value = count.counted;
  const last = make("div", "last");
  if (count.last !== null) last.append(card(count.last, false));
  return [make("div", "count-head", title, number, bar), last, named("Extra", count.extra, "bad")];
}

// A line of cards with how many of each.
function named(word, symbols, className) {
  const numbers = new Map();
  for (const symbol of symbols) numbers.set(symbol, (numbers.get(symbol) ?? 0) + 1);
  return list(word, [...numbers], className);
}

function list(word, numbers, className) {
  if (!numbers.length) return make("p", "named");
  const items = numbers.map(([symbol, number]) => make("span", `symbol ${symbol[1] ?? ""}`, ...inline(symbol), number > 1 ? ` ×${number}` : ""));
  return make("p", `named ${className}`, make("b", "", word), ...items);
}

function printed(receipt) {
  const stamp = stamps.find((each) => each.receipt.number === receipt.number);
  const verdict = make("p", receipt.right ? "verdict right" : "verdict wrong", receipt.right ? "Complete" : "Not right");
  const rows = [
    ["Receipt", String(receipt.number)], ["Table", receipt.table || "–"], ["Machine", receipt.machine || "–"],
    ["Shoe", `${receipt.shoe} · decks: ${receipt.decks}`], ["Counted", `${receipt.counted} of ${receipt.expected}`],
    ["Time", stamp ? stampText(stamp) : "…"], ["By", receipt.by],
  ];
  if (receipt.unseen) rows.push(["Left unseen", String(receipt.unseen)]);
  const facts = make("dl", "", ...rows.flatMap(([name, value]) => [make("dt", "", name), make("dd", "", value)]));
  const print = make("button", "quiet", "Print");
  print.onclick = () => window.print();
  return [
    make("div", "count-head", make("h2", "", TITLES[receipt.kind]), verdict, print), facts,
    make("div", "found", list("Missing", Object.entries(receipt.missing), "bad"), list("Extra", Object.entries(receipt.extra), "bad")),
  ];
}

function stampText(stamp) {
  const time = stamp.utc.replace("T", " ").replace(/\.\d+Z$/, " UTC");
  return `${time}${stamp.utc_trusted ? "" : " (clock not set)"} · record ${stamp.record}`;
}

// The time is the journal's; it comes with the receipts.
async function fetchStamps(receipt, ask) {
  if (fetching === receipt.number || stamps.some((each) => each.receipt.number === receipt.number)) return;
  fetching = receipt.number;
  try {
    const answer = await fetch("/api/receipts");
    if (answer.ok) stamps = await answer.json();
  } finally {
    fetching = null;
  }
  renderShoe(newest, ask);
}

function renderAlarms(view, ask) {
  const box = document.getElementById("alarms");
  box.hidden = !view.alarms.length;
  fill("alarms", view.alarms, () => {
    const shown = view.alarms.slice(0, ALARMS_SHOWN).map((alarm) => alarmLine(alarm, ask));
    const more = view.alarms.length - shown.length;
    return more > 0 ? [...shown, make("p", "more", `and ${more} more`)] : shown;
  });
}

function alarmLine(alarm, ask) {
  const button = make("button", "", "Acknowledge");
  button.onclick = () => once(button, async () => {
    const by = await askName(`Who looks into it? ${alarm.text}`);
    if (by !== null) await ask({ type: "alarm-acknowledged", alarm: alarm.number, by });
  });
  const times = alarm.times > 1 ? ` ×${alarm.times}` : "";
  const cards = alarm.cards.map((symbol) => make("span", `symbol ${symbol[1] ?? ""}`, ...inline(symbol)));
  const text = make("p", "", make("b", "", `Alarm ${alarm.number}`), ` shoe ${alarm.shoe}: ${alarm.text}${times} `, ...cards);
  const line = make("div", "alarm", text, button);
  line.dataset.kind = alarm.kind;
  return line;
}
