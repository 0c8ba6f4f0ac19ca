/** npm run bench -- portfolio [--plots N]: the page, the CSV and the workbook of many plots: bytes, and CPU to write. */
import { parseArgs } from "node:util";
import { type PortfolioRow, portfolioCsv, portfolioXlsx, renderPortfolio } from "@groundrule/report";
import { seededRandom } from "@groundrule/testing/random";

const { values } = parseArgs({ options: { plots: { type: "string", default: "10000" } } });
const random = seededRandom(11);
const rows = Array.from({ length: Number(values.plots) }, (_, i) => rowOf(i));

for (const [name, write] of [
  ["page", () => renderPortfolio(rows)],
  ["CSV", () => portfolioCsv(rows)],
  ["workbook", () => portfolioXlsx(rows)],
] as const) {
  const before = process.cpuUsage();
  const written = await write();
  const { user, system } = process.cpuUsage(before);
  const bytes = typeof written === "string" ? Buffer.byteLength(written) : written.length;
  console.log(
    `${name.padEnd(9)} ${rows.length} plots: ${(bytes / 1e6).toFixed(2)} MB, ${((user + system) / 1000).toFixed(0)} ms of CPU`,
  );
}

/** A plot of 24 corners in a region as large as a state, with three checks. */
function rowOf(i: number): PortfolioRow {
  const [x, y, radius] = [-62 + 14 * random.next(), -14 + 10 * random.next(), 0.005 + 0.02 * random.next()];
  const ring = Array.from({ length: 25 }, (_, k) => {
    const angle = ((k % 24) * Math.PI) / 12;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
  const triggered = i % 3;
  const checks = ["Overlaps a protected area", "Cleared since 2021", "A park within ten kilometres"].map(
    (title, k) => ({
      id: `check-${k}`,
      title,
      status: "ok" as const,
      outcome: k === triggered ? ("WARNING" as const) : null,
      triggered: k === triggered,
    }),
  );
  return {
    id: `BR-${i}`,
    name: `Fazenda ${i}`,
    geometry: { type: "Polygon", coordinates: [ring] },
    link: `reports/${i}.html`,
    verdict: {
      verdict: "WARNING",
      at_least: "WARNING",
      evaluated_at: "2026-11-23T00:00:00Z",
      digest: "0".repeat(64),
      ruleset: { name: "forest-plots", version: 1, digest: "0".repeat(64) },
      input: { area_m2: 1e6 * radius },
      checks,
    },
  };
}
