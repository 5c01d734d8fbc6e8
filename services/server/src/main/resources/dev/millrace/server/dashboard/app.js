// The shell: which section is shown, the namespace, the key, the colours, and what is said when the
// server does not answer.

import { ApiError, Unreachable, get, key } from "./api.js";
import { emptyState, h, heading, replace } from "./dom.js";
import * as live from "./live.js";
import * as tenants from "./tenants.js";
import * as tenant from "./tenant.js";
import * as bucket from "./bucket.js";
import * as limits from "./limits.js";
import * as tryIt from "./try.js";
import * as regions from "./regions.js";

const SECTIONS = [
  ["live", "Live", live],
  ["tenants", "Tenants", tenants],
  ["limits", "Limits", limits],
  ["try", "Try it", tryIt],
  ["regions", "Regions", regions],
];
const VIEWS = { tenant, bucket, ...Object.fromEntries(SECTIONS.map(([name, , view]) => [name, view])) };
const BELOW = { tenant: "tenants", bucket: "tenants" };
const THEMES = { system: "Colours: system", light: "Colours: light", dark: "Colours: dark" };

const $ = (id) => document.getElementById(id);
let leave = null;
let shown = 0;
let refusedKey = null;

/** "#/default/tenant/key-42?tab=x" as its parts. */
function route() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [namespace, section, ...rest] = path.split("/").filter(Boolean).map(decodeURIComponent);
  return {
    namespace: namespace ?? "default",
    section: section in VIEWS ? section : "live",
    rest,
    query: new URLSearchParams(query ?? ""),
  };
}

/** What the sections get to work with. */
function surroundings(at, view) {
  return {
    ...at,
    view,
    link: (section, ...parts) => `#/${[at.namespace, section, ...parts].map(encodeURIComponent).join("/")}`,
    say,
    quiet,
  };
}

async function show() {
  const at = route();
  const turn = ++shown;
  leave?.();
  leave = null;
  document.title = `${SECTIONS.find(([name]) => name === (BELOW[at.section] ?? at.section))[1]} · Millrace`;
  replace(
    $("sections"),
    SECTIONS.map(([name, text]) =>
      h(
        "li",
        {},
        h(
          "a",
          {
            href: `#/${encodeURIComponent(at.namespace)}/${name}`,
            "aria-current": name === (BELOW[at.section] ?? at.section) ? "page" : null,
          },
          text,
        ),
      ),
    ),
  );
  if ($("namespace").value !== at.namespace) {
    addNamespace(at.namespace);
    $("namespace").value = at.namespace;
  }
  const view = h("div", {});
  try {
    const left = await VIEWS[at.section].show(surroundings(at, view));
    if (turn !== shown) {
      left?.(); // somebody went elsewhere meanwhile
      return;
    }
    leave = left ?? null;
    quiet();
  } catch (e) {
    if (turn !== shown) {
      return;
    }
    replace(view, failure(e));
  }
  replace($("view"), view);
}

function failure(error) {
  if (!(error instanceof ApiError) && !(error instanceof Unreachable)) {
    console.error(error);
  }
  const todo =
    error.status === 401
      ? h("button", { type: "button", class: "primary", onclick: openKey }, "Enter an API key")
      : h("button", { type: "button", onclick: show }, "Try again");
  const title = error.status === 401 ? "This server wants an API key" : "This could not be shown";
  return [heading(title), emptyState(error.message, todo)];
}

/** Says something that concerns the whole page, until quiet(). */
function say(text) {
  if ($("banner").textContent !== text) {
    $("banner").textContent = text;
  }
  $("banner").hidden = false;
}

function quiet() {
  $("banner").hidden = true;
  $("banner").textContent = "";
}

function addNamespace(name) {
  if (![...$("namespace").options].some((option) => option.value === name)) {
    $("namespace").append(h("option", { value: name }, name));
  }
}

async function loadNamespaces() {
  try {
    const list = await get("/v1/namespaces?pageSize=100");
    list.items.filter((one) => one.state === "active").forEach((one) => addNamespace(one.name));
  } catch {
    // The section says what is wrong; the namespace in the address is in the list anyway.
  }
}

function openKey() {
  if (!$("key").open) {
    $("key-value").value = key.get();
    $("key").showModal();
  }
}

/** Asks for a key by itself, once for each that was refused. */
function askForKey() {
  if (refusedKey !== key.get()) {
    refusedKey = key.get();
    openKey();
  }
}

function applyTheme(theme) {
  if (theme === "system") {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = theme;
  }
  $("theme").textContent = THEMES[theme];
}

function begin() {
  applyTheme(localStorage.getItem("millrace.theme") ?? "system");
  $("theme").addEventListener("click", () => {
    const names = Object.keys(THEMES);
    const next = names[(names.indexOf(localStorage.getItem("millrace.theme") ?? "system") + 1) % names.length];
    localStorage.setItem("millrace.theme", next);
    applyTheme(next);
  });
  $("login").addEventListener("click", openKey);
  document.addEventListener("millrace:unauthorised", askForKey);
  $("key").addEventListener("close", () => {
    const choice = $("key").returnValue;
    if (choice === "save" || choice === "forget") {
      key.set(choice === "save" ? $("key-value").value.trim() : "");
      loadNamespaces();
      show();
    }
    $("key-value").value = "";
  });
  $("skip").addEventListener("click", (event) => {
    event.preventDefault(); // the address says which section is shown
    $("main").focus();
  });
  $("namespace").addEventListener("change", () => {
    const at = route();
    const section = BELOW[at.section] ?? at.section;
    location.hash = `#/${encodeURIComponent($("namespace").value)}/${section}`;
  });
  window.addEventListener("hashchange", async () => {
    await show();
    $("view").querySelector("h1")?.focus();
  });
  loadNamespaces();
  show();
}

begin();
