import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { openBrowser, openPage } from "./tools/browser/browser.ts";
import { startDemo } from "./apps/console/test/demo-process.ts";
const out = process.argv[2]!;
const only = (process.argv[3] ?? "1440,1024,390").split(",").map(Number);
const themes = (process.argv[4] ?? "light,dark").split(",");
mkdirSync(out, { recursive: true });
const demo = await startDemo();
const browser = await openBrowser();
const list = readFileSync("/tmp/list30.geojson");
for (const width of only) for (const colorScheme of themes as ("light" | "dark")[]) {
  const height = width === 390 ? 844 : width === 1024 ? 768 : 900;
  const w = await openPage(browser, demo.page, { viewport: { width, height }, colorScheme, hasTouch: width === 390, isMobile: width === 390 });
  const { page } = w;
  page.setDefaultTimeout(20000);
  const shot = async (name: string) => { await page.waitForTimeout(600); await page.screenshot({ path: `${out}/${width}-${colorScheme}-${name}.png` }); };
  try {
    await page.waitForTimeout(2500);
    await shot("first");
    const use = page.getByRole("button", { name: "Use this key" });
    if (await use.count()) await use.click();
    await page.waitForTimeout(1500);
    await page.locator("input[type=file]").first().setInputFiles({ name: "list30.geojson", mimeType: "application/json", buffer: list });
    await page.waitForTimeout(1500);
    for (const name of [/^Check 30/, /^Check \d+ plots/]) { const b = page.getByRole("button", { name }); if (await b.count()) { await b.first().click(); break; } }
    await page.waitForTimeout(5000);
    await shot("list30");
    const lines = page.locator(".plots-line");
    if (width < 1280) { await page.locator(".app-tabs button").first().click(); await page.waitForTimeout(300); }
    const bad = page.locator(".plots-line", { hasText: /Not compliant/ }).first();
    if (await bad.count() && await bad.isVisible()) await bad.click(); else if (await lines.first().isVisible()) await lines.first().click();
    await page.waitForTimeout(1200);
    await shot("verdict");
    if (width === 390) { await page.locator(".app-tabs button").first().click(); await page.waitForTimeout(300); }
    if (width < 1280) { await page.locator(".app-tabs button").first().click(); await page.waitForTimeout(300); }
    await page.getByRole("searchbox").fill("bow"); await page.waitForTimeout(300);
    const refused = page.locator(".plots-line").first();
    if (await refused.count() && await refused.isVisible()) { await refused.click(); await shot("refused"); }
    if (width === 1440) {
      const edit = page.getByRole("button", { name: "View and edit" });
      if (await edit.count()) { await edit.click(); await page.waitForTimeout(2500); await shot("editor"); await page.keyboard.press("Escape"); }
    }
  } catch (e) { console.log(width, colorScheme, String(e).slice(0, 300)); }
  if (w.said.length) console.log(w.said.slice(0, 3).join("\n").slice(0, 400));
  await w.close();
}
await browser.close(); await demo.stop();
