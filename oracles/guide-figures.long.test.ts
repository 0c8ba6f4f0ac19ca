import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Postgis, startPostgis } from "./postgis.ts";

// The figures of the guide for people who come from PostGIS. Those of groundrule are printed by the guide's program,
// which tools/snippets runs.

const page = readFileSync(new URL("../docs/guides/from-postgis-or-a-hosted-api.md", import.meta.url), "utf8");
const statements = /```sql\n([\s\S]*?)```/
  .exec(page)![1]!
  .replaceAll(/^--.*$/gm, "")
  .split(";")
  .map((statement) => statement.trim())
  .filter((statement) => statement !== "");
const queries = statements.filter((statement) => statement.startsWith("SELECT"));
/** Number of the query, figure of PostGIS, figure of groundrule, why. */
const rows = page
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .filter((cells) => /^\d+$/.test(cells[1] ?? ""));

describe("the figures of the guide", () => {
  let postgis: Postgis;
  beforeAll(async () => {
    postgis = await startPostgis();
    for (const statement of statements) if (!queries.includes(statement)) await postgis.query(statement);
  });
  afterAll(() => postgis.close());

  it("are those of PostGIS", async () => {
    expect(rows.map(([, number]) => number)).toEqual(queries.map((_, i) => String(i + 1)));
    const figures = rows.map(([, , figure]) => figure!.replace(/ m.?$/, ""));
    const found = await Promise.all(
      queries.map(async (query, i) => {
        const [row] = await postgis.query<Record<string, number>>(query);
        const decimals = figures[i]!.split(".")[1]?.length ?? 0;
        return Number(Object.values(row!)[0]).toFixed(decimals);
      }),
    );
    expect(figures).toEqual(found);
  });

  it("are what the guide's program prints", () => {
    const printed = [...page.matchAll(/^\/\/ → .*? ([\d.]+)$/gm)].map(([, figure]) => figure);
    expect(new Set(rows.map(([, , , figure]) => figure!.replace(/ m.?$/, "")))).toEqual(new Set(printed));
  });

  it("agree to a part in a million where the guide states that they agree, and differ where it does not", () => {
    for (const [, number, theirs, ours, why] of rows) {
      const [a, b] = [Number.parseFloat(theirs!), Number.parseFloat(ours!)];
      const agrees = Math.abs(a - b) <= 1e-6 * Math.abs(b);
      expect(agrees, number).toBe(why!.startsWith("agree"));
    }
  });
});
