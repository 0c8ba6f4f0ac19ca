// Writes docs/images/report.png, the head of a report on a plot of the demo, as Debian's Chromium shows it:
// `npm run tool -- write-report-picture`.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { openBrowser, openPage, SHARP } from "../browser/browser.ts";

const VIEWPORT = { width: 760, height: 860 };
const root = fileURLToPath(new URL("../..", import.meta.url));
const picture = join(root, "docs/images/report.png");
const folder = mkdtempSync(join(tmpdir(), "groundrule-picture-"));
const groundrule = (...args: readonly string[]) =>
  execFileSync(process.execPath, [join(root, "apps/cli/src/main.ts"), ...args, "--data", folder], {
    stdio: ["ignore", "ignore", "inherit"],
  });

try {
  const [records, page] = [join(folder, "records.ndjson"), join(folder, "report.html")];
  groundrule("demo", "--build-only");
  const demo = (name: string) => join(folder, "demo", name);
  groundrule("evaluate", "--ruleset", demo("ruleset.json"), "--record", records, demo("plots.geojson"));
  groundrule("report", records, "--id", "plot-1", "--out", page);
  mkdirSync(join(root, "docs/images"), { recursive: true });
  const browser = await openBrowser();
  const { page: shown } = await openPage(browser, pathToFileURL(page).href, { viewport: VIEWPORT, ...SHARP });
  await shown.screenshot({ path: picture });
  await browser.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
