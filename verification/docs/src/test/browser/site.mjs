// node site.mjs CHROMIUM URL SCREENSHOTS : walks through the site at URL, a directory, and fails on the first thing
// that is not as it should be.

import assert from "node:assert/strict";
import { DESKTOP, PHONE, open } from "./browser.mjs";

const PATIENCE_MS = 60_000;
const LOOKED_AT = ["index", "guide/getting-started", "guide/how-it-works", "guide/comparison", "design/adr/index"];
const { page, url, accessible, fitsPhone, shot, judged } = await open(process.argv.slice(2), PATIENCE_MS);
const go = (name) => page.goto(`${url}${name}.html`);

await judged(async () => {
  await go("index");
  const all = await page.locator(".contents a").evaluateAll((links) => links.map((link) => link.href));
  assert.ok(all.length > 20, `only ${all.length} pages`);
  for (const each of all) {
    await page.goto(each);
    assert.equal(await page.locator("main h1").count(), 1, each);
    assert.equal(await page.locator(".contents [aria-current=page]").count(), 1, each);
  }
  console.log("step: all pages open");

  for (const name of LOOKED_AT) {
    await page.emulateMedia({ colorScheme: "light" });
    await go(name);
    await accessible(name);
    await page.emulateMedia({ colorScheme: "dark" });
    await accessible(`${name} in the dark`);
  }
  await shot("decisions-dark");
  await page.emulateMedia({ colorScheme: "light" });
  console.log("step: accessible in both themes");

  await page.setViewportSize(PHONE);
  for (const name of LOOKED_AT) {
    await go(name);
    await fitsPhone(name);
  }
  await shot("decisions-phone");
  await page.getByText("Contents", { exact: true }).click();
  await page.getByRole("link", { name: "Overview" }).waitFor();
  await page.setViewportSize(DESKTOP);
  console.log("step: fits a phone");

  await go("index");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.id === "main");
  await page.keyboard.press("/");
  await page.keyboard.type("table of writers");
  await page.getByRole("option").first().waitFor();
  await accessible("search");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/architecture.html#the-table-of-writers");
  console.log("step: found with the keyboard alone");

  await page.getByRole("button", { name: "Dark" }).click();
  await go("guide/how-it-works");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await shot("how-it-works-dark");
  await page.getByRole("button", { name: "Light" }).click();
  await shot("how-it-works-light");
  await go("guide/comparison");
  await shot("comparison-light");
});
