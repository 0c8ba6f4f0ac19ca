import { Readable } from "node:stream";
import { createSharedFolder } from "@groundrule/testing/folder";
import { createBoxPositions } from "@groundrule/testing/shapes";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { matchFailedExit, runInProcess } from "../test/in-process.ts";

const COLUMNS = 80;
const square = { type: "Polygon", coordinates: [createBoxPositions(10, 0, 10.5, 0.5)] };
const park = {
  type: "Feature",
  properties: { title: `Park \u001b[31m${"of many names ".repeat(9)}`, code: "P-1" },
  geometry: { ...square, coordinates: [square.coordinates[0]!.map(([x, y]) => [x! + 0.25, y])] },
};
const RULESET = {
  sets: { parks: { sources: ["demo:parks"] } },
  checks: [
    { id: "parks", set: "parks", measure: "overlap_ratio", outcome: "NON_COMPLIANT", title: "In a park" },
  ],
};

const { at, write } = createSharedFolder();
beforeAll(async () => {
  write("parks.geojson", park);
  write("rules.json", RULESET);
  const options = ["--source", "demo:parks", "--id", "code", "--name", "title"];
  const built = await run(["snapshot", "build", ...options, at("parks.geojson")], "");
  expect(built.code).toBe(0);
});

/** Runs a command as for a person at a terminal. */
const run = (args: string[], input: string | Readable) =>
  runInProcess([...args, "--data", at()], { input, columns: COLUMNS, hasColors: true });

const ESC = "\u001b";
const plain = (text: string) => text.replaceAll(new RegExp(`${ESC}\\[\\d+m`, "g"), "");

describe("a person at a terminal", () => {
  const plot = JSON.stringify({ type: "Feature", id: 1, properties: {}, geometry: square });

  it("gets a table as wide as the terminal, with nothing in it that could move the cursor", async () => {
    const { out } = await run(["intersections"], plot);
    const lines = plain(out).trimEnd().split("\n");
    expect(lines[0]).toBe("plot 1");
    expect(lines[1]).toMatch(/^source {2,}id {2,}name {2,}in {2,}overlap {2,}of plot {2,}of area$/);
    expect(lines[2]).toMatch(
      /^demo:parks {2}P-1 {2}Park �\[31mof many[^…]*… {6}\d[\d,.]+ ha {2}50\.00 % {2}50\.00 %$/,
    );
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(COLUMNS);
    expect(plain(out)).not.toContain(ESC);
  });

  it("gets a verdict in words with the checks that triggered, in colour unless NO_COLOR is set", async () => {
    // Other reasons for no colours: a build server, a terminal without a name or colours.
    for (const name of ["FORCE_COLOR", "NO_COLOR", "NODE_DISABLE_COLORS", "CI"]) vi.stubEnv(name, undefined);
    vi.stubEnv("TERM", "xterm-256color");
    const { out } = await run(["evaluate", "--ruleset", at("rules.json")], plot);
    expect(out).toContain(`${ESC}[31mNON_COMPLIANT${ESC}[39m`);
    expect(plain(out)).toMatch(
      /^plot 1: NON_COMPLIANT\n {2}NON_COMPLIANT {2}In a park\n {17}Share of the plot covered by “parks”: 50\.00 % > 0 %\n {17}area: Park �\[31mof many[^…]*…\s+\(demo:parks\),\s+50\.00\s+%\s+of\s+the\s+plot\n$/,
    );
    vi.stubEnv("NO_COLOR", "1");
    expect((await run(["evaluate", "--ruleset", at("rules.json")], plot)).out).toBe(plain(out));
    vi.unstubAllEnvs();
  });

  it("gets JSON all the same with --json", async () => {
    const { out } = await run(["intersections", "--json"], plot);
    expect(JSON.parse(out)).toMatchObject({ id: 1, intersections: [{ source_id: "P-1" }] });
  });

  it("sees the outcome of a screening", async () => {
    const { code, err } = await run(["screen", "--workers", "1", "--ruleset", at("rules.json")], plot);
    expect(code).toBe(0);
    expect(plain(err)).toMatch(
      /1 plot in [\d.,]+ s, [\d.,]+ per second: 1 NON_COMPLIANT\nNext: groundrule screen .*--output verdicts\.ndjson\nplot 1: found no coverage/,
    );
  });

  it("gets a note on a misspelt variable, whatever the command", async () => {
    vi.stubEnv("GROUNDRULE_RULSET", "policy.json");
    expect(plain((await run(["sources", "list"], "")).err)).toContain("did you mean GROUNDRULE_RULESET?");
    vi.unstubAllEnvs();
  });

  it("gets an error where a file is missing, rather than a wait", async () => {
    const nothing = Object.assign(new Readable(), { isTTY: true });
    expect(await run(["intersections"], nothing)).toMatchObject(matchFailedExit(2, "FILE is missing"));
  });
});
