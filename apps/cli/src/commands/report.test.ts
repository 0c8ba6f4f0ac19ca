import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { squarePolygon } from "@groundrule/testing/shapes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runInProcess } from "../../test/in-process.ts";

const feature = (id: string, geometry: object) => ({
  type: "Feature",
  id,
  properties: { title: `Park <${id}>` },
  geometry,
});
const RULESET = {
  sets: { parks: { sources: ["demo:parks"] } },
  checks: [
    { id: "parks", set: "parks", measure: "overlap_ratio", outcome: "NON_COMPLIANT", title: "In a park" },
  ],
};

let dir: string;
const at = (name: string) => join(dir, name);
const report = (...args: string[]) =>
  runInProcess(["report", at("records.ndjson"), ...args, "--data", at("data")]);

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "groundrule-report-"));
  const parks = [
    feature("P1", squarePolygon(0.5, 0)),
    { ...feature("P2", squarePolygon(0, 0)), geometry: null },
  ];
  writeFileSync(at("parks.geojson"), parks.map((park) => JSON.stringify(park)).join("\n"));
  writeFileSync(at("rules.json"), JSON.stringify(RULESET));
  const build = [
    "snapshot",
    "build",
    "--source",
    "demo:parks",
    "--name",
    "title",
    "--dataset",
    "Parks & more",
    "--allow",
    "left-out",
  ];
  await runInProcess([...build, "--license", "CC-BY-4.0", at("parks.geojson"), "--data", at("data")]);
  const input = ["a", "b"].map((id) => `${JSON.stringify(feature(id, squarePolygon(0, 0)))}\n`).join("");
  const evaluate = ["evaluate", "--ruleset", at("rules.json"), "--record", at("records.ndjson")];
  await runInProcess([...evaluate, "--data", at("data")], { input });
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe("groundrule report", () => {
  it("writes the page of one plot, with the evidence on a map and the sources' licences", async () => {
    const { code, out, err } = await report("--id", "b");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(out).toContain("<h1><bdi>b</bdi></h1>");
    expect(out).toContain("<bdi>Park &lt;P1&gt;</bdi>");
    expect(out).toContain("Parks &amp; more");
    expect(out).toContain("CC-BY-4.0");
    expect(out).toContain("1 feature of the source could not be stored and was not examined");
    expect(out).toContain('stroke-dasharray="5 2"');
    const file = await report("--id", "b", "--out", at("b.html"));
    expect(file).toMatchObject({ code: 0, out: "" });
    expect(readFileSync(at("b.html"), "utf8")).toBe(out);
  });

  it("asks which plot is meant where there are several, and refuses one that is not there", async () => {
    expect(await report()).toMatchObject({ code: 2, err: expect.stringContaining("choose one with --id") });
    expect(await report("--id", "c")).toMatchObject({
      code: 3,
      err: expect.stringContaining('no record of "c"'),
    });
  });

  it("exits with 1, and the page says so, where the record is not confirmed", async () => {
    const [line] = readFileSync(at("records.ndjson"), "utf8").split("\n");
    writeFileSync(at("altered.json"), line!.replace('"overlap_ratio":0.5', '"overlap_ratio":0.4'));
    const { code, out, err } = await runInProcess(["report", at("altered.json"), "--data", at("data")]);
    expect(code).toBe(1);
    expect(out).toContain("This record is not confirmed.");
    expect(err).toContain("the record is not confirmed, its verdict");
  });

  it("shows the record alone, and says so, where the editions are not archived", async () => {
    renameSync(at("data"), at("away"));
    const { code, out, err } = await report("--id", "a");
    renameSync(at("away"), at("data"));
    expect(code).toBe(0);
    expect(out).toContain("Not evaluated again.");
    expect(err).toContain("is not archived");
  });
});
