// node walk.mjs CHROMIUM URL SCREENSHOTS : walks through the page as people do, and fails on the first
// thing that is not as it should be. "do: stop" on the output asks for the server to be stopped; a line
// on the input says that it was.

import { createInterface } from "node:readline";
import assert from "node:assert/strict";
import { DESKTOP, PHONE, open } from "./browser.mjs";

const PATIENCE_MS = 30_000;
const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const { page, url, accessible, fitsPhone, shot, judged } = await open(process.argv.slice(2), PATIENCE_MS);

async function step(name, work) {
  const started = Date.now();
  await work();
  console.log(`step: ${name} (${Date.now() - started} ms)`);
}

async function ask(what) {
  console.log(`do: ${what}`);
  const { value } = await input.next();
  assert.equal(value, "done");
}

/** Looks until it is so. */
async function until(what, isSo) {
  const end = Date.now() + PATIENCE_MS;
  while (!(await isSo())) {
    assert.ok(Date.now() < end, `did not happen: ${what}`);
    await page.waitForTimeout(50);
  }
}

const go = async (hash, title) => {
  await page.goto(`${url}#/default/${hash}`);
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
};

const admitted = async () => Number((await page.locator("#live-admitted strong").textContent()).replaceAll(",", "")) || 0;

await judged(async () => {
  await step("live numbers move under load", async () => {
    await page.goto(url);
    await page.getByRole("heading", { level: 1, name: "Live" }).waitFor();
    await until("somebody is admitted", async () => (await admitted()) > 0);
    const before = await page.locator(".plot .line.tone-accent").getAttribute("d");
    await until("the plot moves", async () => (await page.locator(".plot .line.tone-accent").getAttribute("d")) !== before);
    await page.getByRole("link", { name: "key-1" }).first().waitFor();
    await shot("live-light");
    await accessible("live");
  });

  await step("the keyboard skips to the content", async () => {
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), "skip");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  });

  await step("a tenant is found in the tree and by its beginning", async () => {
    await page.getByRole("link", { name: "Tenants" }).click();
    await page.getByRole("button", { name: "Children of acme" }).click();
    await page.getByRole("button", { name: "Children of team-a" }).click();
    await page.getByRole("link", { name: "key-1", exact: true }).waitFor();
    await shot("tenants-light");
    await accessible("tenants");
    await page.getByLabel("Id begins with").fill("key-");
    await page.locator("#found").getByRole("link", { name: "acme" }).waitFor({ state: "detached" });
    await page.locator("#found").getByRole("link", { name: "key-2" }).waitFor();
    await page.locator("#found").getByRole("link", { name: "key-1" }).click();
  });

  await step("a tenant shows balances, usage and changes", async () => {
    await page.getByRole("heading", { level: 1, name: "key-1" }).waitFor();
    await page.locator("meter").first().waitFor();
    await page.locator(".plot .bar").first().waitFor();
    await page.getByRole("region", { name: "Recent changes" }).last().waitFor();
    await page.getByText("Why does it have these limits?").click();
    await page.locator("details").getByLabel("Resource").fill("gpt-4o");
    await page.getByRole("button", { name: "Explain" }).click();
    await page.getByRole("cell", { name: "the resource" }).first().waitFor();
    await shot("tenant-light");
    await accessible("tenant");
  });

  await step("a bucket shows its shards", async () => {
    await page.getByRole("link", { name: "1 shard" }).first().click();
    await page.getByRole("heading", { level: 1, name: "key-1 on gpt-4o" }).waitFor();
    await page.locator("td meter").first().waitFor();
    await shot("bucket-light");
    await accessible("bucket");
    await page.getByRole("link", { name: "Back to key-1" }).click();
  });

  await step("a limit is edited, previewed and saved", async () => {
    await page.getByRole("link", { name: "Edit limits" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Limits" }).waitFor();
    const limit = page.getByRole("group", { name: "Limit 1" });
    await limit.getByLabel("Name").fill("rpm");
    await limit.getByLabel("Tokens").fill("2");
    await limit.getByLabel("Unit").selectOption("min");
    assert.ok(await page.getByRole("button", { name: "Save" }).isDisabled());
    await page.getByRole("button", { name: "Show who is affected" }).click();
    await page.getByText("1 bucket would follow").waitFor();
    await page.getByRole("cell", { name: "key-1" }).waitFor();
    await shot("limits-light");
    await accessible("limits");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
  });

  await step("the limit is enforced", async () => {
    await go("try?entity=key-1&resource=gpt-4o", "Try it");
    let status = "";
    for (let tries = 0; tries < 5 && status !== "429"; tries++) {
      await page.locator("#answer").evaluate((answer) => answer.replaceChildren());
      await page.getByRole("button", { name: "Acquire" }).click();
      status = await page.locator("#status").textContent();
      if (status === "200") {
        await page.getByRole("button", { name: "Settle" }).click();
        await page.getByText("SETTLED").waitFor();
      }
    }
    assert.equal(status, "429");
    await page.getByText("retry-after").waitFor();
    await shot("try-light");
    await accessible("try");
  });

  await step("regions say what to do, and who shares what", async () => {
    await go("regions", "Regions");
    await page.getByText("shares nothing with other regions").waitFor();
    await page.getByLabel("Namespace").selectOption("geo");
    await page.getByRole("cell", { name: "eu (this one)" }).waitFor();
    await page.getByRole("cell", { name: "60.0 %" }).waitFor();
    await page.getByRole("cell", { name: "75 s" }).waitFor();
    await accessible("regions");
    await shot("regions-light");
  });

  await step("what a tenant is called is never markup", async () => {
    await go("tenant/evil", "evil");
    await page.getByText("<img src=x onerror=alert(1)>").first().waitFor();
    assert.equal(await page.locator("main img").count(), 0);
  });

  await step("the key is asked for, sent and kept in the tab only", async () => {
    const refuse = (route) => route.fulfill({ status: 401, contentType: "application/problem+json", body: '{"title":"No key"}' });
    await page.route("**/v1/**", refuse);
    await go("regions", "This server wants an API key");
    await page.getByRole("dialog").waitFor();
    await accessible("key");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.unroute("**/v1/**", refuse);
    await page.getByRole("button", { name: "Enter an API key" }).click();
    await page.getByLabel("Key", { exact: true }).fill("mlr_typed-by-hand");
    const sent = page.waitForRequest((request) => request.headers().authorization === "Bearer mlr_typed-by-hand");
    await page.getByRole("button", { name: "Use this key" }).click();
    await sent;
    assert.deepEqual(await page.evaluate(() => [Object.values(localStorage).join(), Object.values(sessionStorage).join()]), ["", "mlr_typed-by-hand"]);
    await page.getByRole("button", { name: "API key", exact: true }).click();
    await page.getByRole("button", { name: "Forget it" }).click();
    await until("the key is forgotten", () => page.evaluate(() => sessionStorage.length === 0));
  });

  await step("dark and on a phone", async () => {
    const sections = [["live", "Live"], ["tenants", "Tenants"], ["tenant/key-1", "key-1"], ["limits", "Limits"], ["try", "Try it"]];
    await page.emulateMedia({ colorScheme: "dark" });
    for (const [hash, title] of sections) {
      await go(hash, title);
      await accessible(`${hash} in the dark`);
      if (hash === "live" || hash === "tenant/key-1") {
        await until("it is drawn", async () => (await page.locator(hash === "live" ? ".plot .line" : "meter").count()) > 0);
        await shot(`${title.toLowerCase()}-dark`);
      }
    }
    await page.setViewportSize(PHONE);
    for (const [hash, title] of sections) {
      await go(hash, title);
      await fitsPhone(hash);
      await shot(`${title.toLowerCase().replace(" ", "-")}-phone`);
    }
    await page.setViewportSize(DESKTOP);
    await page.emulateMedia({ colorScheme: "light" });
    await page.getByRole("button", { name: "Colours: system" }).click();
    await page.getByRole("button", { name: "Colours: light" }).click();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    await page.getByRole("button", { name: "Colours: dark" }).click();
  });

  await step("the page recovers when the server was away", async () => {
    await go("live", "Live");
    await until("somebody is admitted", async () => (await admitted()) > 0);
    await ask("stop");
    await page.getByText("The server does not answer.").waitFor();
    await ask("start");
    await page.getByText("The server does not answer.").waitFor({ state: "hidden" });
    await until("somebody is admitted", async () => (await admitted()) > 0);
  });
});
