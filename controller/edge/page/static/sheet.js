// A sheet over the page on which something is asked; only one at a time, closed by Cancel or Escape.
import { make } from "/static/dom.js";

export function openSheet(heading, ...content) {
  const box = document.getElementById("sheet");
  const cancel = make("button", "quiet", "Cancel");
  cancel.onclick = () => box.close();
  box.replaceChildren(make("div", "sheet-head", make("h2", "", heading), cancel), ...content);
  if (!box.open) box.showModal();
}

export function closeSheet() {
  document.getElementById("sheet").close();
}

// Buttons of which one is chosen: [value, ...children] each; `chosen` is called with the value.
export function choice(label, options, chosen) {
  const buttons = options.map(([value, ...face]) => {
    const button = make("button", "", ...face);
    button.dataset.value = value;
    button.setAttribute("aria-pressed", "false");
    button.onclick = () => {
      for (const each of buttons) each.setAttribute("aria-pressed", String(each === button));
      chosen(value);
    };
    return button;
  });
  return make("div", "choice", make("span", "", label), ...buttons);
}
