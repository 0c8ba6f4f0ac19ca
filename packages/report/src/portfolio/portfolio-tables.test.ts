import { readXlsx } from "hucre/xlsx";
import { describe, expect, it } from "vitest";
import { hardRecords } from "../../test/hard-records.ts";
import { portfolioCsv } from "./portfolio-csv.ts";
import type { PortfolioRow } from "./portfolio-rows.ts";
import { portfolioXlsx } from "./portfolio-xlsx.ts";

const { uncovered, antimeridian } = hardRecords();
const ROWS: readonly PortfolioRow[] = [
  { id: 1, name: '=HYPERLINK("http://x")', record: uncovered.record, link: "reports/1.html" },
  { id: "Taveuni", name: 'a, "b"\nc\u0007\u202e\ud800', record: antimeridian.record },
  {
    id: "-3",
    geometry: { type: "Point", coordinates: [7, 8] },
    error: { code: "GEOMETRY_INVALID", message: "+1" },
  },
  { id: "odd", name: "x".repeat(40_000), geometry: { type: "Feature", geometry: { coordinates: {} } } },
];

describe("portfolioCsv", () => {
  const lines = portfolioCsv(ROWS).split("\r\n");

  it("has a line a plot, with a column for each check", () => {
    expect(lines[0]).toBe(
      "id,name,verdict,at_least,area_m2,longitude,latitude,check:in,check:waived,check:near,check:strips," +
        "resolve_by,without,ruleset,ruleset_version,evaluated_at,digest,reference_id,error_code,error_message,report",
    );
    expect(lines).toHaveLength(6);
    const { digest, input } = uncovered.record.response.data;
    expect(lines[1]).toBe(
      `1,"'=HYPERLINK(""http://x"")",NON_COMPLIANT,NON_COMPLIANT,${input.area_m2},10.01,50.005,` +
        `not_covered,not_covered,WARNING,,,,,,2026-11-20T12:00:00Z,${digest},,,,reports/1.html`,
    );
  });

  it("gives a plot on both sides of the antimeridian one middle, and a plot without a verdict its error", () => {
    expect(lines[2]).toMatch(/^Taveuni,"a, ""b""\nc[^"]*",COMPLIANT,COMPLIANT,[\d.]+,-?180,-16.95,/);
    expect(lines[3]).toBe("'-3,,,,,7,8,,,,,,,,,,,,GEOMETRY_INVALID,'+1,");
    expect(lines[4]).toMatch(/^odd,x{40000},,,,,,/);
  });
});

describe("portfolioXlsx", () => {
  it("holds the same, and counts by verdict and by check", async () => {
    const { sheets } = await readXlsx(await portfolioXlsx(ROWS));
    const [plots, counts] = sheets;
    const header = portfolioCsv([ROWS[0]!, ROWS[1]!]).split("\r\n")[0]!.split(",");
    expect(plots!.rows[0]).toEqual(header);
    expect(plots!.rows).toHaveLength(5);
    expect(plots!.rows[1]!.slice(0, 3)).toEqual([1, '=HYPERLINK("http://x")', "NON_COMPLIANT"]);
    expect(plots!.rows[2]![1]).toBe('a, "b"\nc\ufffd\ufffd\ufffd');
    expect(plots!.rows[4]![1]).toBe("x".repeat(32_767));
    expect(counts!.rows).toContainEqual(["verdict", "NON_COMPLIANT", 1]);
    expect(counts!.rows).toContainEqual(["verdict", "ERROR", 2]);
    expect(counts!.rows).toContainEqual(["check:in", "not_covered", 1]);
    expect(counts!.rows).toContainEqual(["check:strips", "not_triggered", 1]);
  });
});
