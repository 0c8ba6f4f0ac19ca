import { readFileSync } from "node:fs";
import { createSharedFolder } from "@groundrule/testing/folder";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { beforeAll, describe, expect, it } from "vitest";
import { runInProcess } from "../../../test/in-process.ts";
import { formatNdjson, makeFeature } from "../../../test/plot-texts.ts";

const RULESET = {
  sets: { protected: { sources: ["demo:parks"] } },
  checks: [{ id: "overlap", set: "protected", measure: "overlap_ratio", value: 0.5, outcome: "WARNING" }],
};
const EVERYTHING = { ...RULESET, checks: [{ ...RULESET.checks[0], value: 0 }] };
const inside = { type: "Point", coordinates: [0.1, 0.1] };
const feature = (id: string, geometry: object, properties = {}) => makeFeature(id, geometry, properties);

const { at, write } = createSharedFolder();
const run = (args: readonly string[], ...plots: unknown[]) =>
  runInProcess([...args, "--data", at("data")], { input: formatNdjson(...plots) });
const evaluate = (args: readonly string[], ...plots: unknown[]) =>
  run(["evaluate", "--ruleset", at("rules.json"), ...args], ...plots);
const areasOf = (lines: readonly Record<string, unknown>[]) =>
  lines.map(
    (line) =>
      (line.verdict as { input: { area_m2: number } } | undefined)?.input.area_m2 ??
      (line.error as { code: string }).code,
  );

beforeAll(async () => {
  write("rules.json", RULESET);
  write("all.json", EVERYTHING);
  write("parks.geojson", feature("P1", createSquarePolygon(0, 0, 0.3)));
  await run(["snapshot", "build", "--source", "demo:parks", at("parks.geojson")]);
});

describe("points on the command line", () => {
  it("take the Area of their feature, or what --point-area-ha gives all that have none", async () => {
    const plots = [
      feature("own", inside, { Area: 2.5 }),
      feature("none", inside),
      feature("null", { type: "MultiPoint", coordinates: [[0.1, 0.1]] }, { Area: null }),
      inside,
    ];
    const without = await evaluate([], ...plots);
    expect(areasOf(without.lines)).toEqual([
      25_000,
      "INPUT_INCOMPLETE",
      "INPUT_INCOMPLETE",
      "INPUT_INCOMPLETE",
    ]);
    expect(without.code).toBe(3);
    const declared = await evaluate(
      ["--point-area-ha", "4"],
      ...plots.slice(1),
      feature("same", inside, { Area: 4 }),
    );
    expect([declared.code, areasOf(declared.lines)]).toEqual([0, [40_000, 40_000, 40_000, 40_000]]);
  });

  it("are refused with an Area that is no number, out of range, or not the option's", async () => {
    const { lines } = await evaluate(
      ["--point-area-ha", "4"],
      feature("text", inside, { Area: "4" }),
      feature("list", inside, { Area: [4] }),
      feature("other", inside, { Area: 3 }),
    );
    const messages = lines.map(({ error }) => error as { message: string; faults: { pointer: string }[] });
    expect(messages.map(({ message }) => message)).toEqual([
      `found "4" as Area, expected a number of hectares; the EU's information system reads a string as 0`,
      "found [4] as Area, expected a number of hectares",
      "found Area 3, expected 4 as in --point-area-ha; leave out one of them",
    ]);
    expect(messages.every(({ faults }) => faults[0]!.pointer === "/properties/Area")).toBe(true);
    const zero = await evaluate([], feature("zero", inside, { Area: 0 }));
    expect(zero.lines).toMatchObject([{ error: { code: "VALIDATION_FAILED" } }]);
    for (const option of ["0", "100001", "four"]) {
      expect((await evaluate(["--point-area-ha", option], inside)).code).toBe(2);
    }
  });

  it("leave polygons as they are, whatever their Area", async () => {
    const square = createSquarePolygon(0, 0, 0.3);
    const plain = await evaluate([], feature("a", square));
    for (const Area of [4, "4", {}]) {
      const { lines } = await evaluate(["--point-area-ha", "4"], feature("a", square, { Area }));
      expect(areasOf(lines)).toEqual(areasOf(plain.lines));
    }
  });

  it("are screened, explained and backtested as they are evaluated", async () => {
    const plots = [
      feature("a", inside),
      feature("b", { type: "Point", coordinates: [0.3, 0.1] }, { Area: 4 }),
    ];
    const option = ["--point-area-ha", "4"];
    const screened = await run(["screen", "--ruleset", at("rules.json"), ...option], ...plots);
    const evaluated = await evaluate(option, ...plots);
    const verdictsOf = ({ lines }: typeof screened) =>
      lines.map(({ verdict }) => ({ ...(verdict as object), evaluated_at: "" }));
    expect(verdictsOf(screened)).toEqual(verdictsOf(evaluated));
    const explained = await run(["explain", "--ruleset", at("rules.json"), ...option, "-"], ...plots);
    expect(explained.lines).toMatchObject(
      plots.map(() => ({ plan: { input: { geometry: { dimension: "polygon", position_count: 65 } } } })),
    );
    write("plots.ndjson", formatNdjson(...plots));
    const rules = ["--old", at("rules.json"), "--new", at("all.json"), "--plots", at("plots.ndjson")];
    const { lines } = await run(["backtest", ...rules, ...option]);
    expect(lines.at(-1)).toMatchObject({ summary: { plots: 2, flipped: 1 } });
  });

  it("are replayed and reported from their records", async () => {
    await evaluate(["--record", at("record.ndjson")], feature("tree", inside, { Area: 4 }));
    const [record] = readNdjson(at("record.ndjson"));
    expect(record).toMatchObject({ request: { input: { geometry: inside, area_ha: 4 } } });
    const replayed = await run(["replay", at("record.ndjson")]);
    expect(replayed.lines).toMatchObject([{ result: "identical" }]);
    const { code } = await run(["report", at("record.ndjson"), "--out", at("report.html")]);
    expect(code).toBe(0);
    expect(readFileSync(at("report.html"), "utf8")).toContain("a disc of 4 ha around the point");
  });
});

function readNdjson(path: string): unknown[] {
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}
