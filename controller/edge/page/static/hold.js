// The sheet at the foot of the page: why the table is on hold and what can be done, or the pad alone where a person
// enters cards because no camera does.
import { card, fill, make, once } from "/static/dom.js";
import { renderPad } from "/static/pad.js";

const TITLES = {
  unread: "Card not read", gap: "Cards missing", restored: "Restarted: is this right?", composition: "Impossible card",
  foreign: "Card of no use here", overdraw: "One card too many", journal: "The journal cannot be written",
  contradiction: "The journal contradicts itself", defect: "A defect in the program",
};
const RESOLUTIONS = { "put-back": "Put it back", burn: "Burn it", void: "Void the round", next: "It opens the next round" };

let byHand = false; // the dealer opened the pad

export function togglePad(view, ask) {
  byHand = !byHand;
  renderHold(view, ask);
}

export function renderHold(view, ask) {
  const hold = view.hold;
  const entering = hold !== null ? hold.enter : wantsPad(view);
  const box = document.getElementById("hold");
  box.hidden = hold === null && !entering;
  if (box.hidden) delete document.body.dataset.hold;
  else document.body.dataset.hold = entering ? "pad" : "banner";
  box.classList.toggle("ask", hold === null || hold.enter || hold.code === "restored");
  document.getElementById("hold-title").textContent = hold === null ? "Enter the next card by hand" : heading(hold);
  document.getElementById("hold-text").textContent = hold === null ? "The card that lies on the cloth decides." : hold.text;
  fill("hold-card", hold?.card ?? null, () => (hold?.card ? [card(hold.card, false)] : []));
  fill("resolutions", [hold, view.seq], () => (hold?.resolutions ?? []).map((tag) => resolution(tag, view.seq, ask)));
  renderPad(entering, hold, view.seq, ask);
}

// By hand: where the dealer opened the pad, or at once where the camera is lost.
function wantsPad(view) {
  const possible = view.prompt.requests.includes("card-entered");
  if (!possible) byHand = false;
  const camera = view.devices.find((device) => device.name === "camera");
  return possible && (byHand || (camera?.state === "lost" && ["dealing", "burning"].includes(view.phase)));
}

function heading(hold) {
  const title = TITLES[hold.code] ?? "The table is on hold";
  if (hold.code === "gap" && hold.count > 0) return `${title}: ${hold.count}`;
  return hold.enter && hold.count > 1 ? `${title}: ${hold.count} at once, enter the first` : title;
}

function resolution(tag, seq, ask) {
  const button = make("button", "", RESOLUTIONS[tag] ?? tag);
  button.dataset.resolution = tag;
  button.onclick = () => once(button, () => ask({ type: "fault-resolved", resolution: tag }, seq));
  return button;
}
