import { createSeededRandom } from "@groundrule/testing/random";
import { readXlsx } from "hucre/xlsx";
import { describe, expect, it } from "vitest";
import { hardRecords } from "../../test/hard-records.ts";
import { portfolioCsv } from "./portfolio-csv.ts";
import { type PortfolioRow, readPortfolioRows } from "./portfolio-rows.ts";
import { formatCheckTitle } from "./portfolio-table.ts";
import { portfolioXlsx, type WorkbookOptions } from "./portfolio-xlsx.ts";

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
        "open_because,resolve_by,without,ruleset,ruleset_version,evaluated_at,digest,reference_id,error_code,error_message,report",
    );
    expect(lines).toHaveLength(6);
    const { digest, input } = uncovered.record.response.data;
    expect(lines[1]).toBe(
      `1,"'=HYPERLINK(""http://x"")",NON_COMPLIANT,NON_COMPLIANT,${input.area_m2},10.01,50.005,` +
        `not_covered,not_covered,WARNING,,in: coverage; waived: coverage,,,,,2026-11-20T12:00:00Z,${digest},,,,reports/1.html`,
    );
  });

  it("gives a plot on both sides of the antimeridian one middle, and a plot without a verdict its error", () => {
    expect(lines[2]).toMatch(/^Taveuni,"a, ""b""\nc[^"]*",COMPLIANT,COMPLIANT,[\d.]+,-?180,-16.95,/);
    expect(lines[3]).toBe("'-3,,,,,7,8,,,,,,,,,,,,,GEOMETRY_INVALID,'+1,");
    expect(lines[4]).toMatch(/^odd,x{40000},,,,,,/);
  });
});

describe("own columns of plots", () => {
  it("come last in the CSV and the workbook, apart from ours of the same name", async () => {
    const rows: readonly PortfolioRow[] = [
      { id: "a", own: { Farm: "North", name: "mine" } },
      { id: "b", own: { Farm: "South", Area: 2.5 } },
    ];
    const lines = portfolioCsv(rows).split("\r\n");
    expect(lines.slice(0, 3).map((line) => line.split(",").slice(-3))).toEqual([
      ["Farm", "own:name", "Area"],
      ["North", "mine", ""],
      ["South", "", "2.5"],
    ]);
    const [plots] = await writeSheets(rows);
    expect(plots!.rows.map((row) => row.slice(lines[0]!.split(",").length - 3))).toEqual([
      ["Farm", "own:name", "Area"],
      ["North", "mine", null],
      ["South", null, 2.5],
    ]);
  });
});

async function writeSheets(rows: Iterable<PortfolioRow>, options?: WorkbookOptions) {
  const pieces: Uint8Array[] = [];
  for await (const piece of portfolioXlsx(rows, options)) pieces.push(piece);
  return (await readXlsx(Buffer.concat(pieces))).sheets;
}

describe("portfolioXlsx", () => {
  it("holds the same for people, and counts by verdict and by check", async () => {
    const [plots, counts] = await writeSheets(ROWS);
    expect([plots!.name, counts!.name]).toEqual(["Plots", "Counts"]);
    const header = portfolioCsv([ROWS[0]!, ROWS[1]!]).split("\r\n")[0]!.split(",");
    expect(plots!.rows[0]).toHaveLength(header.length);
    expect(plots!.rows[0]!.slice(0, 4)).toEqual(["Id of the plot", "Name", "Verdict", "At least"]);
    expect(plots!.rows).toHaveLength(5);
    expect(plots!.rows[1]!.slice(0, 3)).toEqual([1, '=HYPERLINK("http://x")', "Not compliant"]);
    expect(plots!.rows[1]![header.indexOf("check:in")]).toBe("Not covered");
    expect(plots!.rows[2]![1]).toBe('a, "b"\nc\ufffd\ufffd\ufffd');
    expect(plots!.rows[4]![1]).toBe("x".repeat(32_767));
    expect(counts!.rows).toContainEqual(["Verdict", "Not compliant", 1]);
    expect(counts!.rows).toContainEqual(["Verdict", "Can't be checked", 1]);
    expect(counts!.rows).toContainEqual(["Verdict", "Not checked", 1]);
    const title = String(plots!.rows[0]![header.indexOf("check:in")]);
    expect(title).toContain("in");
    expect(counts!.rows).toContainEqual([title, "Not covered", 1]);
  });

  it("has every heading and outcome in the words of the language, and other cells as they are", async () => {
    const english = await writeSheets(ROWS);
    for (const language of ["pt", "es"] as const) {
      const sheets = await writeSheets(ROWS, { language });
      for (const [at, { name, rows }] of sheets.entries()) {
        expect(name).not.toBe(english[at]!.name);
        const known = new Set(english[at]!.rows[0]!.filter((title) => !isCheckTitle(title)));
        expect(rows[0]!.filter((title) => known.has(title) && title !== "Id")).toEqual([]);
      }
      const words = english.flatMap(({ rows }) => rows.slice(1).flat()).filter((cell) => OUTCOMES.has(cell));
      expect(words.length).toBeGreaterThan(20);
      expect(sheets.flatMap(({ rows }) => rows.flat()).filter((cell) => OUTCOMES.has(cell))).toEqual([]);
      expect(sheets[0]!.rows.map(([id]) => id).slice(1)).toEqual(english[0]!.rows.map(([id]) => id).slice(1));
    }
  });

  it("reads rows one by one where the checks are known, with the same result", async () => {
    const { checks } = readPortfolioRows(ROWS);
    const random = createSeededRandom(11);
    let read = 0;
    function* rows() {
      for (; read < 20_000; read++)
        yield { id: read, name: Array.from({ length: 20 }, random.next).join(" ") };
    }
    // The sheet of plots comes after five short files.
    for await (const piece of portfolioXlsx(rows(), { checks })) if (read > 0 && piece.length > 1_000) break;
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(2_000);
    expect(await writeSheets(ROWS, { checks })).toEqual(await writeSheets(ROWS));
  });
});

/** Outcomes of plots and checks in English. */
const OUTCOMES: ReadonlySet<unknown> = new Set([
  "Not compliant",
  "Can't be checked",
  "Incomplete",
  "Warning",
  "Not checked",
  "Compliant",
  "Notice",
  "Undecided",
  "Not covered",
  "Undetermined",
  "Not declared",
  "Passed",
]);

function isCheckTitle(title: unknown): boolean {
  return readPortfolioRows(ROWS).checks.some((check) => formatCheckTitle(check) === title);
}
