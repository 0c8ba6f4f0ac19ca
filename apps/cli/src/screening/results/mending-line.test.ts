import { expect, it } from "vitest";
import { Arguments } from "../../command-line/arguments.ts";
import { formatFixingLine, formatMendingLine } from "./mending-line.ts";

const args = (path: string, values: Readonly<Record<string, string>> = {}): Arguments =>
  new Arguments(
    [path],
    new Map(Object.entries(values).map(([name, value]) => [name, [value]])),
    new Set(["swap-axes"]),
  );

it("a run that refused plots ends with the command that fixes them, read as they were", () => {
  expect(
    formatMendingLine(args("my plots.shp.zip", { crs: "EPSG:31982" }), { GEOMETRY_INVALID: 2, X: 1 }),
  ).toBe(
    "3 errors: groundrule plots fix 'my plots.shp.zip' --crs EPSG:31982 --swap-axes --output 'my plots.shp-fixed.geojson'",
  );
  expect(formatMendingLine(args("a/b.csv"), { JSON_INVALID: 1 })).toBe(
    "1 error: groundrule plots check a/b.csv --swap-axes",
  );
  for (const [path, errors] of [
    ["a.csv", {}],
    ["a.csv", { INPUT_INCOMPLETE: 4 }],
    ["a.csv", { VALIDATION_FAILED: 1 }],
    ["-", { GEOMETRY_INVALID: 1 }],
  ] as const) {
    expect(formatMendingLine(args(path), errors)).toBeUndefined();
  }
});

it("a check that found errors ends with how many of them fixing mends, and says nothing of fixing if none", () => {
  const command = "groundrule plots fix a.csv --swap-axes --output a-fixed.geojson";
  expect(formatFixingLine(args("a.csv"), 2, 2)).toBe(`2 errors: ${command}`);
  expect(formatFixingLine(args("a.csv"), 22, 17)).toBe(`17 of 22 errors: ${command}`);
  expect(formatFixingLine(args("a.csv"), 3, 0)).toBeUndefined();
  expect(formatFixingLine(args("-"), 1, 1)).toBeUndefined();
});
