// The stakes that the table knows of, and the choice at a refait-31 (TQ-10): half unless somebody chooses prison.
import { fill, make, once } from "/static/dom.js";

const CHOICES = { half: "Half", prison: "Prison" };

export function renderStakes(view, ask) {
  const choosing = view.prompt.requests.includes("refait-chosen");
  document.getElementById("stakes").hidden = !view.stakes.length;
  fill("stakes", [view.stakes, choosing], () => view.stakes.map((stake) => line(stake, choosing, ask)));
}

function line(stake, choosing, ask) {
  const text = make("span", "", `${stake.player} · ${stake.on} ${stake.stake}`);
  if (!choosing || !(stake.state in CHOICES)) return make("li", "", text, make("em", "", stake.state));
  return make("li", "", text, ...Object.entries(CHOICES).map(([choice, word]) => button(stake, choice, word, ask)));
}

function button(stake, choice, word, ask) {
  const element = make("button", stake.state === choice ? "chosen" : "", word);
  element.dataset.choice = choice;
  element.setAttribute("aria-pressed", String(stake.state === choice));
  element.onclick = () => once(element, () => ask({ type: "refait-chosen", player: stake.player, on: stake.on, choice }));
  return element;
}
