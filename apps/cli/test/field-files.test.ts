import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createFolderForEach } from "@groundrule/testing/folder";
import { describe, expect, it } from "vitest";
import { runInProcess } from "./in-process.ts";

/** An input as a tool writes it, and the right reading of it; `field-files/README.md` describes the members. */
interface FieldFile {
  readonly file: string;
  readonly by: string;
  readonly args?: readonly string[];
  readonly right: Right;
}

interface Right {
  readonly exit?: number;
  readonly plots?: number;
  readonly ids?: readonly string[];
  readonly types?: readonly string[];
  readonly bbox?: readonly number[];
  /** Degrees by which `bbox` may differ: 2e-6 where nothing is stated. */
  readonly tolerance?: number;
  readonly properties?: readonly Readonly<Record<string, unknown>>[];
  readonly says?: readonly string[];
  readonly never?: readonly string[];
  readonly check?: readonly string[];
}

interface Written {
  readonly id: unknown;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly geometry: { readonly type: string; readonly coordinates?: unknown } | null;
}

const folder = new URL("field-files/", import.meta.url);
const classes = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const { at } = createFolderForEach();

/** West, south, east and north of all positions. */
function computeBox(features: readonly Written[]): number[] {
  const box = [Infinity, Infinity, -Infinity, -Infinity] as [number, number, number, number];
  const add = (value: unknown): void => {
    if (!Array.isArray(value)) return;
    if (typeof value[0] !== "number") {
      for (const each of value) add(each);
      return;
    }
    const [x, y] = value as [number, number];
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], y);
  };
  for (const { geometry } of features) add(geometry?.coordinates);
  return box;
}

function expectFeatures(features: readonly Written[], right: Right): void {
  const { plots, ids, types, bbox, tolerance = 2e-6, properties = [] } = right;
  if (plots !== undefined) expect(features).toHaveLength(plots);
  if (ids !== undefined) expect(features.map(({ id }) => String(id))).toEqual(ids);
  if (types !== undefined)
    expect(new Set(features.map(({ geometry }) => geometry?.type))).toEqual(new Set(types));
  if (bbox !== undefined) {
    const box = computeBox(features);
    const farthest = Math.max(...box.map((value, i) => Math.abs(value - bbox[i]!)));
    expect(farthest, `bbox ${box.join(", ")}`).toBeLessThanOrEqual(tolerance);
  }
  for (const [i, expected] of properties.entries()) expect(features[i]?.properties).toMatchObject(expected);
}

describe.each(classes)("field files, %s:", (name) => {
  const inputs = new URL(`${name}/`, folder);
  const names = readdirSync(inputs);
  const cases: FieldFile[] = JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8"));

  it.each(cases.map((each) => [[each.file, ...(each.args ?? [])].join(" "), each] as const))(
    "plots fix reads or refuses %s",
    async (_, { file, args = [], right }) => {
      const pathOf = (name: string): string => fileURLToPath(new URL(name, inputs));
      const own = args.map((word) => (names.includes(word) ? pathOf(word) : word));
      const outputs = ["--output", at("o.geojson"), "--report", at("o.ndjson")];
      const { code, out, err } = await runInProcess(["plots", "fix", pathOf(file), ...outputs, ...own]);
      const report = existsSync(at("o.ndjson")) ? readFileSync(at("o.ndjson"), "utf8") : "";
      const text = out + err + report;
      expect(code, text).toBe(right.exit ?? 0);
      const { features } = existsSync(at("o.geojson"))
        ? (JSON.parse(readFileSync(at("o.geojson"), "utf8")) as { features: Written[] })
        : { features: [] };
      expectFeatures(features, right);
      for (const pattern of right.says ?? []) expect(text).toMatch(new RegExp(pattern, "s"));
      for (const pattern of right.never ?? []) expect(text).not.toMatch(new RegExp(pattern, "s"));
      if (right.check === undefined) return;
      const checked = await runInProcess(["plots", "check", pathOf(file), "--format", "json", ...own]);
      for (const finding of right.check) expect(checked.out + checked.err).toContain(finding);
    },
  );

  it("are all tried", () => {
    const tried = cases.flatMap(({ file, args = [] }) => [file, ...args]);
    const parts = /\.(?:dbf|shx|prj|cpg)$/;
    expect(names.filter((file) => !parts.test(file) && !tried.includes(file))).toEqual([]);
  });
});
