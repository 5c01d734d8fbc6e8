// The button for the theme, the menu of narrow windows, and the search. The pages work without it.
"use strict";

const MAX_FOUND = 12;
const root = document.documentElement;
const base = document.body.dataset.base;

const button = document.getElementById("theme");
const isDark = () =>
  (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
const name = () => (button.textContent = isDark() ? "Light" : "Dark");
name();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", name);
button.addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  name();
  try {
    localStorage.setItem("theme", root.dataset.theme);
  } catch {
    // It holds for this page then.
  }
});

const menu = document.querySelector("details.menu");
const wide = matchMedia("(min-width: 60rem)");
const unfold = () => (menu.open = wide.matches);
unfold();
wide.addEventListener("change", unfold);
// Not scrollIntoView: the Tab key would go on from there.
const current = document.querySelector('.contents [aria-current="page"]');
if (wide.matches && current) menu.scrollTop = current.offsetTop - menu.clientHeight / 2;

const query = document.getElementById("query");
const found = document.getElementById("found");
let loading;
let selected = -1;

/** The index is fetched when somebody begins to search. */
function index() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${base}search-index.js`;
    script.onload = () => resolve(window.millraceIndex);
    script.onerror = reject;
    document.head.append(script);
  });
  return loading;
}

/** Every word must occur; headings count more than text, beginnings of words more than middles. */
function score([, title, heading, text], words) {
  let sum = 0;
  for (const word of words) {
    const places = [[heading, 8], [title, 4], [text, 1]];
    let best = 0;
    for (const [place, weight] of places) {
      const at = place.toLowerCase().indexOf(word);
      if (at >= 0) best = Math.max(best, at === 0 || !/[a-z0-9]/i.test(place[at - 1]) ? 2 * weight : weight);
    }
    if (best === 0) return 0;
    sum += best;
  }
  return sum;
}

function excerpt(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 40);
  return (at > 0 ? "… " : "") + text.slice(at, at + 120) + (at + 120 < text.length ? " …" : "");
}

function show(results, words) {
  selected = -1;
  query.removeAttribute("aria-activedescendant");
  found.replaceChildren(
    ...results.map(([url, title, heading, text], i) => {
      const item = document.createElement("li");
      item.id = `found-${i}`;
      item.setAttribute("role", "option");
      item.dataset.url = base + url;
      const head = document.createElement("strong");
      head.textContent = heading === title ? title : `${title}: ${heading}`;
      const line = document.createElement("span");
      line.textContent = excerpt(text, words[0]);
      item.append(head, line);
      return item;
    }),
  );
  if (results.length === 0) {
    const none = document.createElement("li");
    none.setAttribute("role", "option");
    none.setAttribute("aria-disabled", "true");
    none.textContent = "Nothing found";
    found.append(none);
  }
  found.hidden = false;
  query.setAttribute("aria-expanded", "true");
}

function close() {
  found.hidden = true;
  query.setAttribute("aria-expanded", "false");
}

function select(step) {
  const options = [...found.querySelectorAll("[data-url]")];
  if (options.length === 0) return;
  options[selected]?.removeAttribute("aria-selected");
  selected = (selected + step + options.length) % options.length;
  options[selected].setAttribute("aria-selected", "true");
  options[selected].scrollIntoView({ block: "nearest" });
  query.setAttribute("aria-activedescendant", options[selected].id);
}

query.addEventListener("focus", index, { once: true });
query.addEventListener("input", async () => {
  const asked = query.value;
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return close();
  const all = await index();
  if (query.value !== asked) return;
  const results = all
    .map((piece) => [score(piece, words), piece])
    .filter(([points]) => points > 0)
    .sort(([a], [b]) => b - a)
    .slice(0, MAX_FOUND)
    .map(([, piece]) => piece);
  show(results, words);
});
query.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    select(event.key === "ArrowDown" ? 1 : selected < 0 ? 0 : -1);
  } else if (event.key === "Escape") {
    close();
  }
});
document.querySelector(".search").addEventListener("submit", (event) => {
  event.preventDefault();
  const option = found.querySelectorAll("[data-url]")[Math.max(0, selected)];
  if (option) location.href = option.dataset.url;
});
found.addEventListener("click", (event) => {
  const option = event.target.closest("[data-url]");
  if (option) location.href = option.dataset.url;
});
document.addEventListener("click", (event) => {
  if (!event.target.closest(".search")) close();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) {
    event.preventDefault();
    query.focus();
  }
});
