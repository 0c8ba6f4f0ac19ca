import { readFileSync } from "node:fs";
import { presets, presetVersions } from "@groundrule/data/rulesets";
import { openData } from "@groundrule/node";
import { createFolderForEach } from "@groundrule/testing/folder";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { startService } from "../../../api/test/service.ts";
import { runInProcess } from "../../test/in-process.ts";
import { readRuleset } from "../files/ruleset-file.ts";

const NAME = "preset.indigenous-lands";
const { at, write } = createFolderForEach();
const PLOT = createSquarePolygon(-50.5, -5.5, 0.1);
const latest = () => presetVersions().findLast(({ name }) => name === NAME)!;

async function prepare() {
  const geometry = createSquarePolygon(-51, -6);
  write("lands.geojson", { type: "Feature", geometry, properties: { code: "1" } });
  const columns = ["--source", "br:lands", "--group", "preset:indigenous_lands", "--coverage", "global"];
  const dates = ["--collected-at", "2026-01-01T00:00:00Z"];
  const args = ["snapshot", "build", ...columns, ...dates, at("lands.geojson"), "--data", at("data")];
  expect((await runInProcess(args)).code).toBe(0);
  write("plot.geojson", { type: "Feature", id: "p", geometry: PLOT, properties: {} });
}

describe("the version of a preset", () => {
  it("is the same in verdicts of the command, its workers, the library and HTTP, and replays", async () => {
    await prepare();
    const { version } = latest();
    expect(version).toBeGreaterThan(1);
    const expected = { name: NAME, version };
    const question = ["--ruleset", NAME, "--data", at("data"), at("plot.geojson")];
    const evaluated = await runInProcess(["evaluate", ...question, "--record", at("records.ndjson")]);
    expect(evaluated.lines).toMatchObject([{ verdict: { ruleset: expected } }]);
    const replayed = await runInProcess(["replay", at("records.ndjson"), "--data", at("data")]);
    expect(replayed).toMatchObject({ code: 0, lines: [{ result: "identical" }] });
    await runInProcess(["screen", ...question, "--record", at("screened")]);
    const screened = await runInProcess(["replay", at("screened"), "--data", at("data")]);
    expect(screened).toMatchObject({ code: 0, lines: [{ result: "identical" }] });
    const [line] = readFileSync(at("screened/records-00001.ndjson"), "utf8").split("\n");
    expect(JSON.parse(line!)).toMatchObject({ response: { data: { ruleset: expected } } });
    const explained = await runInProcess(["explain", "--json", ...question]);
    expect(explained.lines).toMatchObject([{ plan: { ruleset: expected } }]);

    const data = openData(at("data"));
    const { ruleset } = data.compile(presets().get(NAME)!).evaluate({ geometry: PLOT }, { now: data.now() });
    expect(ruleset).toMatchObject(expected);
    const answeredByHttp = await byHttp(data);
    expect(answeredByHttp).toEqual(ruleset);
  });

  it("is that of an earlier one, and of a file with the same words, and of no other", async () => {
    await prepare();
    const { compile } = openData(at("data"));
    const versionOf = (ruleset: object) =>
      compile(ruleset).evaluate({ geometry: PLOT }, { now: "2026-01-02T00:00:00Z" }).ruleset.version;
    expect(versionOf(readRuleset(`${NAME}@1`))).toBe(1);
    const { ruleset, version } = latest();
    write("same.json", ruleset);
    expect(versionOf(readRuleset(at("same.json")))).toBe(version);
    write("other.json", { ...ruleset, description: "Changed" });
    expect(versionOf(readRuleset(at("other.json")))).toBeNull();
    expect(versionOf({ ...ruleset })).toBeNull();
    expect(versionOf(JSON.parse(JSON.stringify(ruleset)))).toBeNull();
  });
});

async function byHttp(data: ReturnType<typeof openData>): Promise<unknown> {
  const published = presetVersions().map(({ ruleset, publishedAt, ...preset }) => {
    const { name: _, ...body } = ruleset as Record<string, unknown>;
    return { ...preset, body, createdAt: publishedAt };
  });
  const service = await startService(data, { presets: published });
  try {
    const body = JSON.stringify({ input: { geometry: PLOT }, ruleset_id: NAME });
    const headers = {
      authorization: `Bearer ${service.key}`,
      "content-type": "application/json",
      "idempotency-key": "preset-version",
    };
    const response = await fetch(`${service.url}/v1/evaluate`, { method: "POST", headers, body });
    return ((await response.json()) as { readonly data: { readonly ruleset: unknown } }).data.ruleset;
  } finally {
    await service.stop();
  }
}
