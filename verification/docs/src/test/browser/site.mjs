// node site.mjs CHROMIUM URL SCREENSHOTS DIRECTORY : walks through the site in DIRECTORY as a web server would show it
// at URL, and fails on the first thing that is not as it should be.

import { existsSync } from "node:fs";
import { join } from "node:path";
import assert from "node:assert/strict";
import { DESKTOP, PHONE, open } from "./browser.mjs";

const PATIENCE_MS = 60_000;
const LOOKED_AT = ["", "guide/getting-started.html", "guide/how-it-works.html", "guide/comparison.html", "design/adr/"];
const directory = process.argv[5];
const { page, url, accessible, fitsPhone, shot, judged } = await open(process.argv.slice(2), PATIENCE_MS);
const go = (name) => page.goto(url + name);
const isDark = () => page.evaluate(() => document.documentElement.classList.contains("dark"));

await page.route(`${url}**`, (route) => {
  const name = decodeURI(new URL(route.request().url()).pathname).slice(new URL(url).pathname.length);
  const path = join(directory, name.replace(/(^|\/)$/, "$1index.html"));
  return existsSync(path) ? route.fulfill({ path }) : route.fulfill({ status: 404 });
});

await judged(async () => {
  await go("");
  const all = await page.locator(".VPSidebar a").evaluateAll((links) => links.map((link) => link.href));
  assert.ok(all.length > 60, `only ${all.length} pages`);
  await page.setViewportSize(PHONE);
  for (const each of all) {
    await page.goto(each);
    assert.equal(await page.locator("main h1").count(), 1, each);
    const current = page.locator(".VPSidebarItem.is-link.is-active");
    await current.first().waitFor({ state: "attached" }); // marked once the page's script has run
    assert.equal(await current.count(), 1, each);
    await fitsPhone(each);
  }
  await shot("decision-phone");
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("link", { name: "Overview" }).click();
  await page.waitForURL(url);
  await page.setViewportSize(DESKTOP);
  console.log("step: all pages open, and fit a phone");

  for (const name of LOOKED_AT) {
    await page.emulateMedia({ colorScheme: "light" });
    await go(name);
    assert.equal(await isDark(), false);
    await accessible(name);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForFunction(() => document.documentElement.classList.contains("dark"));
    await accessible(`${name} in the dark`);
  }
  await shot("decisions-dark");
  await page.emulateMedia({ colorScheme: "light" });
  console.log("step: accessible in both themes");

  await go("");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent.trim()), "Skip to content");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.id === "VPContent");
  await page.keyboard.press("/");
  await page.locator("#localsearch-input").fill("table of writers");
  await page.getByRole("option").first().waitFor();
  await shot("search");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/design/architecture.html#the-table-of-writers");
  console.log("step: found with the keyboard alone");

  await go("guide/how-it-works.html");
  const ink = () => page.locator(".diagram .d-text").first().evaluate((text) => getComputedStyle(text).fill);
  const light = await ink();
  await shot("how-it-works-light");
  await page.getByRole("switch", { name: "Switch to dark theme" }).click();
  await go("guide/how-it-works.html");
  assert.equal(await isDark(), true);
  assert.notEqual(await ink(), light);
  await shot("how-it-works-dark");
  await page.getByRole("switch", { name: "Switch to light theme" }).click();
  assert.equal(await isDark(), false);
  await go("");
  await shot("readme-light");
});
