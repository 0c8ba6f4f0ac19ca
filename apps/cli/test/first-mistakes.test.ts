import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { createSharedFolder } from "@groundrule/testing/folder";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runGroundrule } from "./groundrule.ts";
import { runInProcess } from "./in-process.ts";

const plot = { type: "Feature", id: 1, properties: {}, geometry: createSquarePolygon(-55, -10, 0.01) };
const GEOJSON = JSON.stringify({ type: "FeatureCollection", features: [plot] });
const POLICY = {
  sets: { parks: { sources: ["demo:parks"] } },
  checks: [{ id: "parks", set: "parks", outcome: "NON_COMPLIANT" }],
};

const { at, write } = createSharedFolder();
const taken = createServer();
const run = (line: string) => runGroundrule(line.split(" "), at());
let port: string;

beforeAll(async () => {
  write("plots.geojson", GEOJSON);
  write("policy.json", POLICY);
  write("empty.csv", "");
  write("notes.txt", "call Ana about the farm\n");
  write("swapped.csv", "id,longitude,latitude,country\n1,-10,-55,BR\n");
  writeFileSync(at("latin.csv"), Buffer.from("id;longitude;latitude;name\n1;-55;-10;S\xe3o\n", "latin1"));
  writeFileSync(at("cut.geojson.gz"), gzipSync(GEOJSON).subarray(0, 40));
  mkdirSync(at("farms"));
  expect((await run("snapshot build --source demo:parks --coverage global plots.geojson")).code).toBe(0);
  taken.listen(0, "127.0.0.1");
  await once(taken, "listening");
  port = String((taken.address() as AddressInfo).port);
});
afterAll(() => {
  taken.close();
});

/** Mistakes of people in their first hour: the words they type, the exit code, and the way out that is printed. */
const MISTAKES: readonly (readonly [line: string, code: number, way: string])[] = [
  // Words that call no command.
  ["check plots.geojson", 2, "did you mean plots check?"],
  ["evalute plots.geojson", 2, "did you mean evaluate?"],
  ["hepl evaluate", 2, "did you mean help?"],
  ["list sources", 2, "did you mean sources list?"],
  ["plot check plots.geojson", 2, "did you mean plots check?"],
  ["rulesets lint policy.json", 2, "did you mean lint?"],
  ["plots", 2, "expected one of check, fix, export"],
  ["plots.geojson", 2, "groundrule plots check plots.geojson"],
  ["--data here sources list", 2, "expected options after the command"],
  ["sources install preset.eudr", 2, "expected one of list, editions, "],
  ["sources sync preset.eudr", 2, "groundrule sources list --needed-by preset.eudr"],
  ["sources sync br:funay", 3, "did you mean br:funai?"],
  ["sources sync br:incra", 3, "did you mean br:quilombola?"],
  // Options.
  ["serve --pepper-file key", 2, "did you mean --pepper?"],
  ["evaluate plots.geojson", 2, "--ruleset FILE is required, or GROUNDRULE_RULESET"],
  ["evaluate policy.json plots.geojson", 2, "did you mean --ruleset policy.json?"],
  ["evaluate plots.geojson --ruleset", 2, "--ruleset needs a value: --ruleset FILE"],
  ["evaluate -r policy.json plots.geojson", 2, "did you mean --ruleset?"],
  ["evaluate --lang es --ruleset policy.json", 2, "commands with --language: screen, report"],
  ["evaluate --ruleset policy.json --as-of 2026-12-31 plots.geojson", 2, "did you mean --now?"],
  ["evaluate --ruleset policy.json --now 31/12/2026 plots.geojson", 2, "such as 2026-11-20T10:00:00Z"],
  ["screen --ruleset policy.json --format shp plots.geojson", 2, "expected one of ndjson, compact, csv"],
  ["screen --ruleset policy.json --output v.shp plots.geojson", 2, "expected .csv, .geojson"],
  ["serve --port abc", 2, 'found --port "abc", expected a number from 0 to 65535'],
  ["serve --key gr_live_1", 2, "requests to the service send it in the header"],
  ["serve", 4, "groundrule org create"],
  ["quota set me 100", 2, "did you mean --org me?"],
  ["subjects --scheme cnpj --value 11222333000181", 3, 'did you mean \\"br:cnpj\\"?'],
  ["snapshot build demo:mines", 2, "did you mean --source demo:mines?"],
  ["sources remove demo:parks", 2, "pass --yes to delete"],
  ["sources use demo:park previous", 3, 'did you mean "demo:parks"?'],
  // Rulesets and data.
  ["evaluate --ruleset eudr plots.geojson", 3, "did you mean the preset preset.eudr?"],
  ["evaluate --ruleset plots.geojson plots.geojson", 3, "expected a JSON object with sets and checks"],
  ["evaluate --ruleset swapped.csv plots.geojson", 3, "groundrule rulesets list"],
  ["evaluate --ruleset polcy.json plots.geojson", 3, "did you mean policy.json?"],
  ["evaluate --ruleset preset.eudr --data nowhere plots.geojson", 4, "groundrule sources list --needed-by"],
  ["evaluate --ruleset preset.mining plots.geojson", 3, "add: --without preset:indigenous_lands"],
  // Files of plots.
  ["plots check plots.json", 3, "did you mean plots.geojson?"],
  ["plots check C:\\Users\\ana\\plots.csv", 3, "/Users/ana/plots.csv"],
  ["plots check farms/*.geojson", 3, "name one file"],
  ["plots check https://example.org/plots.geojson", 3, "download it first"],
  ["plots check farms", 3, "expected one, or the name of a file"],
  ["plots check empty.csv", 3, "was it saved, or downloaded, to its end?"],
  ["plots check notes.txt", 3, "name the columns with --wkt, or --longitude and --latitude"],
  ["plots check latin.csv", 3, "--encoding windows-1252"],
  ["plots check cut.geojson.gz", 3, "expected"],
  ["plots check swapped.csv", 1, "`groundrule plots fix` swaps them"],
  ["plots check policy.json", 1, "this is a ruleset, not a plot"],
  ["report plots.geojson", 3, "evaluate and screen write records with --record"],
  ["restore backup.db", 3, "no such file; the working folder is"],
];

describe("a mistake of the first hour", () => {
  it.each(MISTAKES)("%s", async (line, code, way) => {
    const { code: found, out, err } = await run(line);
    expect({ found, printed: out + err }).toEqual({ found: code, printed: expect.stringContaining(way) });
    expect(out + err).not.toMatch(/internal error|^ +at .*:\d+|\bE[A-Z]{5,}\b:/m);
  });

  it("a port that is taken is reported before anything is built, with the option to change", async () => {
    const { code, err } = await run(`demo --no-open --data demo --port ${port}`);
    expect([code, err]).toEqual([
      4,
      expect.stringMatching(/^groundrule: port \d+ of 127\.0\.0\.1 is taken .*--port N/),
    ]);
  });

  it("no file on a terminal is reported rather than waited for", async () => {
    const input = Object.assign(new Readable(), { isTTY: true });
    const { code, err } = await runInProcess(["plots", "check"], { input });
    expect([code, err]).toEqual([2, expect.stringContaining("name a file, or pipe one in")]);
  });
});

describe("the usual words for help and the version", () => {
  it.each([
    ["-h", 0, "Usage: groundrule COMMAND"],
    ["help", 0, "Usage: groundrule COMMAND"],
    ["help serve", 0, "Usage: groundrule serve"],
    ["serve -h", 0, "Usage: groundrule serve"],
    ["help plots", 0, "plots fix"],
    ["plots -h", 0, "plots fix"],
    ["version", 0, "^\\d+\\.\\d+\\.\\d+"],
    ["-v", 0, "^\\d+\\.\\d+\\.\\d+"],
    ["presets", 0, '"name":"preset.eudr"'],
    ["rulesets presets", 0, '"name":"preset.eudr"'],
    ["help nonsense", 2, ""],
  ])("%s", async (line, code, text) => {
    expect(await run(line)).toMatchObject({ code, out: expect.stringMatching(text) });
  });
});
