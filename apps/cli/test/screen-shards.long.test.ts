import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { createSharedFolder } from "@groundrule/testing/folder";
import { beforeAll, describe, expect, it } from "vitest";
import { runGroundrule } from "./groundrule.ts";
import type { Printed } from "./in-process.ts";
import { makeRulesetAndData, writePlotFiles } from "./screening-run.ts";

const FULL = process.env.GROUNDRULE_FULL !== undefined;
const NOW = "2026-06-30T12:00:00Z";

const { at } = createSharedFolder();
beforeAll(async () => {
  await makeRulesetAndData(at());
  writePlotFiles(at(), 100);
});

function runScreen(output: string, ...more: string[]): Promise<Printed> {
  const args = ["screen", "--ruleset", "rules.json", "--data", "data", "--now", NOW, "--workers", "1"];
  return runGroundrule([...args, "--output", output, ...more], at());
}

function readBytes(name: string): Buffer {
  return readFileSync(at(name));
}

describe("merge of the shards of screen gives what screen gives", () => {
  const counts = FULL ? [1, 2, 3, 7, 150] : [3];
  const cases = ["ndjson", "compact", "csv", "parquet"].flatMap((format) =>
    counts.flatMap((of) =>
      [true, false].map((apart) => ({ format, of, apart, input: apart ? "plots.ndjson" : "plots.geojson" })),
    ),
  );
  const chosen = FULL ? cases : cases.filter((_, i) => i % 3 === 1);

  it.each(chosen)(
    "$format of $input, $of shards, errors apart: $apart",
    async ({ format, of, apart, input }) => {
      const errors = (name: string): string[] => (apart ? ["--errors", `${name}.errors`] : []);
      expect((await runScreen("whole", "--format", format, ...errors("whole"), input)).code).toBe(3);
      for (let index = 0; index < of; index++) {
        const name = `shard-${index}`;
        const shard = ["--shard", `${index}/${of}`, "--format", format, ...errors(name), input];
        expect((await runScreen(name, ...shard)).err).not.toContain("groundrule:");
      }
      const names = Array.from({ length: of }, (_, index) => `shard-${index}`);
      const { code, err } = await runGroundrule(
        ["merge", ...names, "--output", "merged", ...errors("merged")],
        at(),
      );
      expect(code, err).toBe(0);
      expect(readBytes("merged").equals(readBytes("whole"))).toBe(true);
      if (apart) expect(readBytes("merged.errors").equals(readBytes("whole.errors"))).toBe(true);
      const described = (name: string) => {
        const {
          output: _,
          errors_output: __,
          digest: ___,
          ...members
        } = JSON.parse(readBytes(`${name}.run.json`).toString());
        return members;
      };
      expect(described("merged")).toEqual(described("whole"));
    },
    60_000,
  );
});

describe("screen --resume refuses another input", () => {
  it("whose file was written since", async () => {
    const path = at("changing.ndjson");
    writeFileSync(path, readBytes("plots.ndjson"));
    expect((await runScreen("changing", "changing.ndjson")).code).toBe(3);
    expect((await runScreen("changing", "--resume", "changing.ndjson")).err).toContain("already complete");
    utimesSync(path, new Date("2026-01-01"), new Date("2026-01-01"));
    const { code, err } = await runScreen("changing", "--resume", "changing.ndjson");
    expect(code).toBe(3);
    expect(err).toContain("found input.modified");
    expect(err).toContain("RUN_DIFFERS");
  });
});
