import { expect, it } from "vitest";
import { Arguments } from "../../command-line/arguments.ts";
import { formatMendingLine } from "./mending-line.ts";

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
    ["-", { GEOMETRY_INVALID: 1 }],
  ] as const) {
    expect(formatMendingLine(args(path), errors)).toBeUndefined();
  }
});
