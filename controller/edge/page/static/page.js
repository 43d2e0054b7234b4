// The live half of the page: follows the event stream, says so when it breaks, and sends the dealer's requests.
// What a view looks like is render.js.
import { render } from "/static/render.js";

const STALE_MS = 3000; // the daemon sends something at least every second
const RETRY_MS = 500;

let program = null; // which page this is; another one after an upgrade loads itself
let stream = null;
let view = null;
let heard = 0;
let lostAt = null;
let toastTimer = 0;

async function introduce() {
  const answer = await fetch("/api/table").catch(() => null); // the next connection asks again
  if (!answer?.ok) return;
  const table = await answer.json();
  if (program !== null && program !== table.program) location.reload();
  program = table.program;
  document.title = `${table.name} – Sabot`;
  document.getElementById("table").textContent = table.name;
}

function connect() {
  stream?.close();
  stream = new EventSource("/api/events");
  heard = Date.now();
  stream.addEventListener("open", introduce);
  stream.addEventListener("view", (message) => { alive(); show(JSON.parse(message.data)); });
  stream.addEventListener("alive", alive);
  stream.onerror = () => lose();
}

function alive() {
  heard = Date.now();
}

function show(newest) {
  view = newest;
  lostAt = null;
  document.body.dataset.link = "ok";
  render(view, ask);
}

function lose() {
  if (lostAt === null) lostAt = new Date();
  document.body.dataset.link = "lost";
  const since = lostAt.toLocaleTimeString([], { hour12: false });
  document.getElementById("lost-text").textContent = view
    ? `since ${since}. What is shown below is no longer current; trying again…`
    : "No table answers yet; trying again…";
}

function watch() {
  if (Date.now() - heard > STALE_MS) lose();
  if (lostAt !== null && (stream.readyState === EventSource.CLOSED || Date.now() - heard > STALE_MS)) connect();
}

async function ask(request, seen = null) {
  const headers = { "Content-Type": "application/json" };
  if (seen !== null) headers["If-Match"] = `"${seen}"`;
  document.body.classList.add("asking");
  try {
    const answer = await fetch("/api/requests", { method: "POST", headers, body: JSON.stringify(request) });
    if (!answer.ok) toast((await answer.json()).why);
    return answer.ok;
  } catch {
    toast("Not sent: the table does not answer");
    return false;
  } finally {
    document.body.classList.remove("asking");
  }
}

function toast(text) {
  const box = document.getElementById("toast");
  box.textContent = text;
  box.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { box.hidden = true; }, 5000);
}

connect();
setInterval(watch, RETRY_MS);
