// Asks who it is that does something which is signed by name; the last names are there for one tap.
import { make } from "/static/dom.js";

const KEY = "sabot-names";
const KEPT = 4;

function names() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]");
  } catch {
    return [];
  }
}

function remember(name) {
  try {
    localStorage.setItem(KEY, JSON.stringify([name, ...names().filter((each) => each !== name)].slice(0, KEPT)));
  } catch {
    // a browser that keeps nothing asks in full each time
  }
}

// The name, or null where it is called off.
export function askName(question) {
  const box = document.getElementById("name");
  return new Promise((resolve) => {
    const end = (name) => {
      box.close();
      if (name !== null) remember(name);
      resolve(name);
    };
    const input = make("input");
    input.id = "name-input";
    input.maxLength = 60;
    input.autocomplete = "off";
    input.placeholder = "Name";
    const form = make("form", "", input, make("button", "main", "Sign"));
    form.onsubmit = (event) => {
      event.preventDefault();
      const name = input.value.trim();
      if (name) end(name);
    };
    const known = names().map((name) => {
      const button = make("button", "", name);
      button.onclick = () => end(name);
      return button;
    });
    const cancel = make("button", "quiet", "Cancel");
    cancel.onclick = () => end(null);
    box.oncancel = (event) => { event.preventDefault(); end(null); };
    box.replaceChildren(make("p", "", question), form, make("div", "names", ...known, cancel));
    box.showModal();
  });
}
