import { describe, expect, it } from "vitest";
import { type IngestReport, renderReport } from "./report.ts";

const quiet: IngestReport = {
  source_name: "demo:parks",
  kind: "leaf",
  format: "geojson",
  gzip: false,
  bytes_read: 1234567,
  read: 3,
  stored: 3,
  positions: 1024,
  columns: [{ name: "since", type: "date" }],
  mapped_columns: [],
  hidden_columns: [],
  repaired: [],
  mended: [],
  left_out: [],
  duplicate_ids: [],
  without_id: 0,
  without_country: 0,
  unknown_countries: [],
  nested_columns: [],
  ill_formed_columns: [],
  empty_identifiers: 0,
  split_identifiers: 0,
  unwrapped_identifiers: 0,
  malformed_identifiers: { count: 0, of: 0, first: [] },
  without_identifier: 0,
  unmapped_schemes: [],
  unused_schemes: [],
  differing_columns: [],
};

describe("renderReport", () => {
  it("reports in three lines that nothing had to be changed", () => {
    expect(renderReport(quiet)).toBe(
      "demo:parks: 3 areas stored from 3 features\n" +
        "  read 1,234,567 bytes of GeoJSON, 1,024 positions\n" +
        "  columns since (date)\n",
    );
  });

  it("reports each repair with its place, reason and change of area, and each feature left out", () => {
    const text = renderReport({
      ...quiet,
      crs: "EPSG:31983",
      gzip: true,
      repaired: [
        {
          number: 2,
          line: 3,
          id: "PA-7",
          name: "Jaru",
          fault_count: 3,
          faults: [
            {
              code: "RING_SELF_CROSSING",
              message: "the ring crosses itself",
              polygon: 0,
              ring: 0,
              position: 5,
              coordinate: [-61.5, -9.2],
            },
          ],
          area_before_m2: 1_000_000,
          area_after_m2: 999_500.25,
        },
      ],
      left_out: [{ number: 3, line: 4, code: "GEOMETRY_INVALID", reason: "the geometry is null" }],
      unknown_countries: [{ value: "-99", count: 14 }],
      without_country: 14,
    });
    expect(text).toBe(
      [
        "demo:parks: 3 areas stored from 3 features",
        "  read 1,234,567 bytes of packed GeoJSON, 1,024 positions, in EPSG:31983",
        "  columns since (date)",
        "left out (1)",
        "  feature 3, line 4: the geometry is null",
        "repaired (1)",
        '  feature 2 "PA-7", line 3: the ring crosses itself, at [-61.5, -9.2] (and 2',
        "    more); 1,000,000.00 m² before, 999,500.25 m² after (-0.05 %)",
        "14 areas without a country, which no query limited to countries will find",
        "values that are not ISO 3166-1 alpha-3 codes (1)",
        '  "-99": 14',
        "",
      ].join("\n"),
    );
  });

  it.each([
    [1_000_000, 1_000_000.004, "1,000,000.00 m² before and after"],
    [1_000_000, 1_000_001, "1,000,000.00 m² before, 1,000,001.00 m² after (+0.0001 %)"],
    [200, 100, "200.00 m² before, 100.00 m² after (-50.00 %)"],
    [0, 1234.5, "0.00 m² before, 1,234.50 m² after"],
  ])("reports a change of area from %d to %d m²", (area_before_m2, area_after_m2, change) => {
    const area = { number: 1, line: 1, id: "1", name: null, fault_count: 0, faults: [] };
    const text = renderReport({ ...quiet, repaired: [{ ...area, area_before_m2, area_after_m2 }] });
    expect(text.split("\n")).toContain(`  feature 1, line 1; ${change}`);
  });

  it("keeps to 80 columns whatever a source calls its areas, and shows the first 20 of a list", () => {
    const text = renderReport({
      ...quiet,
      left_out: Array.from({ length: 50 }, (_, index) => ({
        number: index + 1,
        line: index + 2,
        id: `${"🌍".repeat(90)} \u001b[31m\n`,
        code: "X",
        reason: "word ".repeat(40),
      })),
    });
    const lines = text.split("\n");
    expect(Math.max(...lines.map((line) => [...line].length))).toBe(80);
    expect(lines).toContain("  and 30 more");
    expect(text.match(/feature \d+/g)).toHaveLength(20);
    expect(text).not.toContain("\u001b");
  });
});
