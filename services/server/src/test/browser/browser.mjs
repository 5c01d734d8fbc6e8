// Opens Chromium for a walk through pages, and judges what it shows.

import { mkdtempSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const PHONE = { width: 360, height: 740 };
export const DESKTOP = { width: 1280, height: 900 };

/**
 * A page for a walk below url, and what judges it; each step waits at most patienceMs. The walk itself is
 * given to judged, which ends the process.
 */
export async function open([executablePath, url, screenshots], patienceMs) {
  mkdirSync(screenshots, { recursive: true });
  const profile = mkdtempSync(join(tmpdir(), "millrace-page-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    viewport: DESKTOP,
    colorScheme: "light",
    reducedMotion: "reduce",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(patienceMs);
  const wrong = [];
  const asked = [];
  page.on("pageerror", (error) => wrong.push(`uncaught: ${error}`));
  page.on("console", (message) => {
    // That an answer was no success is shown by the page; the browser notes it too.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
      wrong.push(`console: ${message.text()}`);
    }
  });
  page.on("request", (request) => asked.push(request));

  /** Nothing that keeps people with a screen reader or a keyboard out. */
  async function accessible(where) {
    // The page lets no script in that is not its own, so the checker comes through the debugger.
    await page.evaluate(AXE);
    const found = await page.evaluate(async () => {
      const { violations } = await window.axe.run(document, { resultTypes: ["violations"], preload: false });
      return violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).slice(0, 3).join(" ")}`);
    });
    assert.deepEqual(found, [], `accessibility of ${where}`);
  }

  async function fitsPhone(where) {
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= PHONE.width, `${where} is ${wide} px wide`);
  }

  const shot = (name) => page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });

  async function judged(walk) {
    try {
      await walk();
      const elsewhere = asked.map((request) => request.url()).filter((to) => !to.startsWith(url));
      assert.deepEqual(elsewhere, [], "requests to others");
      assert.deepEqual(wrong, [], "what the browser found wrong");
      console.log(`step: all, with ${asked.length} requests`);
    } catch (e) {
      await shot("failed").catch(() => {});
      console.error(e);
      console.error(wrong.join("\n"));
      process.exitCode = 1;
    } finally {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    }
    process.exit();
  }

  return { page, url, accessible, fitsPhone, shot, judged };
}
