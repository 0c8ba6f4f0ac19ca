import { snapshotOf } from "@groundrule/engine/build";
import { createBoxPositions } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { catchLocalProblem, HOST } from "../../../test/local-host.ts";
import { LocalAnswers } from "../local-answers.ts";
import { openDataFolderFiles } from "./open-files.ts";

const NOW = "2026-11-22T12:00:00.000Z";
const RULESET = {
  sets: { lands: { sources: ["lands"] } },
  checks: [{ id: "on-lands", set: "lands", outcome: "WARNING" }],
};

const square = (west: number, south: number, size = 0.1): object => ({
  type: "Polygon",
  coordinates: [createBoxPositions(west, south, west + size, south + size)],
});

const snapshot = (source: string, collectedAt: string, geometry = square(0, 0)): Uint8Array<ArrayBuffer> => {
  const features = [{ type: "Feature" as const, geometry, properties: { id: "a" } }];
  return Uint8Array.from(snapshotOf(source, features as never, { id: "id", collectedAt }).bytes);
};

describe("snapshot files alone", () => {
  it("refuse what the service refuses, in its words", async () => {
    const folder = await openDataFolderFiles([
      new File([snapshot("lands", "2026-01-01T00:00:00Z")], "a.snapshot"),
    ]);
    const here = new LocalAnswers(folder, { presets: [], saved: [] }, HOST);
    const bowtie = { type: "Polygon", coordinates: [[[0, 0], [1, 1], [1, 0], [0, 1], [0, 0]]] }; // biome-ignore format: a line a ring
    const question = (input: object, ruleset: object) => ({ input, ruleset }) as never;
    const unknown = catchLocalProblem(() =>
      here.evaluate(question({ geometry: square(0, 0) }, { id: "none@3" }), NOW, "r"),
    );
    expect([unknown?.code, unknown?.errors[0]?.pointer]).toEqual(["RULESET_NOT_FOUND", "/ruleset_id"]);
    const crossed = catchLocalProblem(() =>
      here.evaluate(question({ geometry: bowtie }, { body: RULESET }), NOW, "r"),
    );
    expect(crossed?.code).toBe("GEOMETRY_INVALID");
    expect(crossed?.errors[0]?.pointer).toMatch(/^\/input\/geometry/);
    expect(crossed?.details.repaired).toBeTypeOf("object");
  });

  it("answer without sources that are missing, each named, and confirm the record of it", async () => {
    const folder = await openDataFolderFiles([
      new File([snapshot("lands", "2026-01-01T00:00:00Z")], "a.snapshot"),
    ]);
    const here = new LocalAnswers(folder, { presets: [], saved: [] }, HOST);
    const body = {
      sets: { ...RULESET.sets, parks: { sources: ["parks"] } },
      checks: [...RULESET.checks, { id: "in-parks", set: "parks", outcome: "NON_COMPLIANT" }],
    };
    const question = { input: { geometry: square(5, 5) }, ruleset: { body } };
    expect(catchLocalProblem(() => here.evaluate(question, NOW, "r"))?.code).toBe("SOURCE_UNKNOWN");
    const without = { ...question, ruleset: { body, without: ["parks"] } };
    const { verdict, record } = here.evaluate(without, NOW, "r");
    expect(verdict).toMatchObject({ verdict: "WARNING", status: "ok" });
    expect(verdict.checks.map(({ open }) => open)).toEqual([
      undefined,
      [{ because: "without", source_name: "parks" }],
    ]);
    expect(verdict.sources[1]).toEqual({ source_name: "parks", status: "without", matched: 0 });
    expect(record.request).toMatchObject({ options: { without: ["parks"] } });
    expect(here.material(record).replay?.result).toBe("identical");
    expect(here.explain(without, NOW).sources[1]).toMatchObject({ status: "without" });
    // The same ruleset without `without` is refused as before.
    expect(catchLocalProblem(() => here.evaluate(question, NOW, "r"))?.code).toBe("SOURCE_UNKNOWN");
    const wide = { ...question, ruleset: { body, without: ["parks", "others"] } };
    expect(catchLocalProblem(() => here.evaluate(wide, NOW, "r"))?.errors[0]?.message).toContain('"others"');
  });

  it("measure for a report what a map of one year shows of the plot", async () => {
    const folder = await openDataFolderFiles([
      new File([snapshot("my:forest_2020", "2026-01-01T00:00:00Z", square(5, 5))], "a.snapshot"),
    ]);
    const here = new LocalAnswers(folder, { presets: [], saved: [] }, HOST);
    const body = { ...RULESET, sets: { lands: { sources: ["my:forest_2020"] } } };
    const { record } = here.evaluate({ input: { geometry: square(5, 5.05) }, ruleset: { body } }, NOW, "r");
    const [forest, ...others] = here.material(record).land;
    expect([forest?.source_name, others]).toEqual(["my:forest_2020", []]);
    expect(forest?.share).toBeCloseTo(0.5, 3);
  });

  it("give of two editions the one that was collected last, and report the other", async () => {
    const older = new File([snapshot("lands", "2025-01-01T00:00:00Z")], "b.snapshot");
    const newer = new File([snapshot("lands", "2026-01-01T00:00:00Z", square(5, 5))], "a.snapshot");
    const again = new File([newer], "copy.snapshot");
    const { files, sources } = await openDataFolderFiles([older, newer, again]);
    expect(sources).toHaveLength(1);
    expect(files.map(({ name, state, code }) => [name, state, code])).toEqual([
      ["a.snapshot", "open", undefined],
      ["copy.snapshot", "left aside", "SAME_EDITION"],
      ["b.snapshot", "left aside", "OTHER_EDITION"],
    ]);
  });

  it("do not take an edition for the newest that was collected in the future", async () => {
    const future = new File([snapshot("lands", "2999-01-01T00:00:00Z", square(5, 5))], "future.snapshot");
    const honest = new File([snapshot("lands", "2025-01-01T00:00:00Z")], "honest.snapshot");
    const { files } = await openDataFolderFiles([future, honest]);
    expect(files.map(({ name, state }) => [name, state])).toEqual([
      ["honest.snapshot", "open"],
      ["future.snapshot", "left aside"],
    ]);
  });

  it("that are cut short, flipped or something else fail by name, and leave the others open", async () => {
    const whole = snapshot("lands", "2026-01-01T00:00:00Z");
    const flipped = Uint8Array.from(whole);
    flipped[flipped.length >> 1]! ^= 0x10;
    const { files, sources } = await openDataFolderFiles([
      new File([whole.subarray(0, whole.length - 9)], "short.snapshot"),
      new File([flipped], "flipped.snapshot"),
      new File(["%PDF-1.7"], "<img src=x onerror=alert(1)>.pdf"),
      new File([], "empty.snapshot"),
      new File([whole], "whole.snapshot"),
    ]);
    expect(files.map(({ state, code }) => [state, code])).toEqual([
      ["failed", "SNAPSHOT_CORRUPT"],
      ["failed", "SNAPSHOT_CORRUPT"],
      ["failed", "SNAPSHOT_CORRUPT"],
      ["failed", "SNAPSHOT_CORRUPT"],
      ["open", undefined],
    ]);
    expect(sources).toHaveLength(1);
  });

  it("come with rulesets, and report JSON that is none", async () => {
    const ruleset = { name: "mine", sets: {}, checks: [] };
    const { files, rulesets } = await openDataFolderFiles([
      new File([JSON.stringify(ruleset)], "folder/some.json"),
      new File(["[1, 2]"], "other.json"),
      new File(["{"], "broken.json"),
    ]);
    expect(rulesets).toEqual([{ name: "mine", version: 1, body: { sets: {}, checks: [] } }]);
    expect(files.map(({ code }) => code)).toEqual([undefined, "NO_RULESET", "MALFORMED_JSON"]);
  });
});
