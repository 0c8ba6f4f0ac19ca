import { cpSync, linkSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { createFolderForEach } from "@groundrule/testing/folder";
import { describe, expect, it } from "vitest";
import { runGroundrule } from "../../../test/groundrule.ts";
import { matchFailedExit, type Printed } from "../../../test/in-process.ts";
import { type MadeRun, writeMadeRun } from "../../../test/run-chunks.ts";
import {
  addDescriptionDigest as described,
  type RunDescription,
  readRunDescription,
} from "../../runs/run-description.ts";
import { RESULT_FORMATS } from "../../screening/format-names.ts";

const { at, write } = createFolderForEach();

type Format = MadeRun["format"];

async function makeShards(of: number, format: Format, members: Partial<MadeRun> = {}): Promise<void> {
  for (let index = 0; index < of; index++) {
    const output = at(`shard-${index}`);
    const errors = members.errors === undefined ? {} : { errors: `${output}.errors` };
    await writeMadeRun({ read: 40, shard: { index, of }, format, output, ...members, ...errors });
  }
}

function merge(...args: string[]): Promise<Printed> {
  return runGroundrule(["merge", ...args, "--output", "merged"], at());
}

describe("merge gives the bytes of one run", () => {
  const cases: readonly (readonly [Format, number])[] = [
    // A workbook is no shard.
    ...RESULT_FORMATS.filter((format) => format !== "xlsx").map((format) => [format, 3] as const),
    ...[1, 2, 7].map((of) => ["csv", of] as const),
  ];

  it.each(cases)("%s, %i shards, with a file of errors and without", async (format, of) => {
    for (const errors of [undefined, "errors"]) {
      const errorOptions = errors === undefined ? [] : ["--errors", "merged.errors"];
      const whole = { read: 40, shard: { index: 0, of: 1 }, format, output: at("whole") };
      await writeMadeRun({ ...whole, ...(errors !== undefined && { errors: at("whole.errors") }) });
      await makeShards(of, format, { ...(errors !== undefined && { errors }) });
      const shards = Array.from({ length: of }, (_, index) => `shard-${index}`).reverse();
      const { code, err } = await merge(...shards, ...errorOptions);
      expect(err).toContain("40 plots of");
      expect(code).toBe(0);
      expect(readFileSync(at("merged"))).toEqual(readFileSync(at("whole")));
      if (errors !== undefined) {
        expect(readFileSync(at("merged.errors"))).toEqual(readFileSync(at("whole.errors")));
      }
      const { output, errors_output, digest } = getDescription("merged");
      expect(getDescription("merged")).toEqual({ ...getDescription("whole"), output, errors_output, digest });
      expect(readdirSync(at()).filter((name) => /part|lock|run$/.test(name))).toEqual([]);
    }
  });

  it("under no name that promises another format", async () => {
    await makeShards(2, "csv");
    const { code, err } = await runGroundrule(
      ["merge", "shard-0", "shard-1", "--output", "merged.gpkg"],
      at(),
    );
    expect({ code, err }).toEqual(
      matchFailedExit(2, "found --format csv with --output merged.gpkg, expected gpkg"),
    );
  });

  it("where shards are empty, and where all are", async () => {
    for (const read of [0, 2]) {
      await writeMadeRun({ read, shard: { index: 0, of: 1 }, format: "csv", output: at("whole") });
      await makeShards(3, "csv", { read });
      expect((await merge("shard-0", "shard-1", "shard-2")).code).toBe(0);
      expect(readFileSync(at("merged"))).toEqual(readFileSync(at("whole")));
    }
  });

  it("of all descriptions in a folder, again and again", async () => {
    await makeShards(3, "ndjson");
    expect(await merge(".")).toMatchObject({ code: 0 });
    const first = readFileSync(at("merged"));
    expect(await merge(".")).toMatchObject({ code: 0 });
    expect(readFileSync(at("merged"))).toEqual(first);
  });

  it("where each shard read its own copy of the input", async () => {
    for (const index of [0, 1]) {
      const input = { name: `copy-${index}`, bytes: 4000, modified: `2026-06-0${index + 1}T00:00:00Z` };
      const output = at(`shard-${index}`);
      await writeMadeRun({
        read: 40,
        shard: { index, of: 2 },
        format: "ndjson",
        output,
        identity: { input },
      });
    }
    expect(await merge(".")).toMatchObject({ code: 0 });
    expect(getDescription("merged").input).toEqual({ name: "copy-0", bytes: 4000 });
  });
});

function getDescription(name: string): RunDescription {
  return readRunDescription(at(`${name}.run.json`))!.description!;
}

/** Changes what a shard says of itself, so that only what it says is wrong. */
function changeDescription(name: string, changed: Partial<RunDescription>): void {
  const { digest: _, ...members } = getDescription(name);
  write(`${name}.run.json`, described({ ...members, ...changed }));
}

describe("merge refuses", () => {
  async function refusal(...args: string[]): Promise<string> {
    const { code, err } = await merge(...args);
    expect(readdirSync(at())).not.toContain("merged");
    expect(readdirSync(at())).not.toContain("merged.run.json");
    return `${code} ${/\(([A-Z_]+)\)/.exec(err)?.[1] ?? err}`;
  }

  it("a shard that is missing, or not finished", async () => {
    await makeShards(3, "ndjson");
    expect(await refusal("shard-0", "shard-2")).toBe("3 SHARD_MISSING");
    rmSync(at("shard-1.run.json"));
    expect(await refusal(".")).toBe("3 SHARD_MISSING");
    expect(await refusal("shard-0", "shard-1", "shard-2")).toBe("3 SHARD_MISSING");
    rmSync(at("shard-0"));
    expect(await refusal("shard-0")).toBe("3 SHARD_MISSING");
  });

  it("a folder without any", async () => {
    expect(await refusal(".")).toBe("3 SHARD_MISSING");
  });

  it("a shard that is there twice", async () => {
    await makeShards(2, "ndjson");
    expect(await refusal("shard-0", "shard-1", "shard-0.run.json")).toBe("3 SHARD_DUPLICATE");
    for (const end of ["", ".run.json"]) cpSync(at(`shard-0${end}`), at(`copy${end}`));
    expect(await refusal(".")).toBe("3 SHARD_DUPLICATE");
  });

  it.each([
    ["ruleset", { ruleset: { name: "made up", digest: "ef".repeat(32), checks: ["a"] } }],
    ["instant", { now: "2026-06-30T12:00:01Z" }],
    ["edition", { editions: [] }],
    ["evidence", { evidence: "all" }],
    ["option", { options: {} }],
    ["release", { engine_version: "0.2.1" }],
    ["semantics", { semantics: 7 }],
    ["input", { input: { name: "plots.ndjson", bytes: 7 } }],
  ] as const)("shards of another %s", async (_, identity) => {
    await makeShards(2, "ndjson");
    const run = { read: 40, shard: { index: 1, of: 2 }, format: "ndjson" } as const;
    await writeMadeRun({ ...run, output: at("shard-1"), identity });
    expect(await refusal(".")).toBe("3 SHARD_DIFFERS");
  });

  it("shards of another format, another number, another input, or errors elsewhere", async () => {
    await makeShards(2, "ndjson");
    const run = {
      read: 40,
      shard: { index: 1, of: 2 },
      format: "ndjson",
      output: at("shard-1"),
    } as const;
    const others: MadeRun[] = [
      { ...run, format: "compact" },
      { ...run, shard: { index: 1, of: 3 } },
      { ...run, read: 41, identity: { input: { name: "plots.ndjson", bytes: 4000 } } },
      { ...run, errors: at("errors") },
    ];
    for (const other of others) {
      await writeMadeRun(other);
      expect(await refusal("."), JSON.stringify(other)).toBe("3 SHARD_DIFFERS");
    }
  });

  it.each(["ndjson", "csv", "parquet"] as const)(
    "a file that was cut, or has other bytes: %s",
    async (format) => {
      await makeShards(2, format, { errors: "errors" });
      const merged = [".", "--errors", "merged.errors"];
      for (const name of ["shard-1", "shard-1.errors"]) {
        const path = at(name);
        const bytes = readFileSync(path);
        truncateSync(path, bytes.length - 1);
        expect(await refusal(...merged)).toBe("3 SHARD_DAMAGED");
        for (let at = 3; at < bytes.length; at += 97) {
          const flipped = Buffer.from(bytes);
          flipped[at]! ^= 1;
          writeFileSync(path, flipped);
          expect(await refusal(...merged), `byte ${at} of ${name}`).toBe("3 SHARD_DAMAGED");
        }
        writeFileSync(path, bytes);
      }
      expect((await merge(...merged)).code).toBe(0);
    },
  );

  it("a description of which any byte is another", async () => {
    await makeShards(1, "ndjson");
    const path = at("shard-0.run.json");
    const bytes = readFileSync(path);
    for (let at = 0; at < bytes.length; at += 29) {
      const flipped = Buffer.from(bytes);
      flipped[at]! ^= 1;
      if (/^\s+$/.test(flipped.toString("latin1", at, at + 1)) && bytes[at] === 0x20) continue;
      writeFileSync(path, flipped);
      expect(await refusal("."), `byte ${at}`).toBe("3 SHARD_DAMAGED");
    }
  });

  it("counts and lines that do not add up", async () => {
    await makeShards(2, "ndjson");
    const { counts, plots, read, shard, output } = getDescription("shard-0");
    for (const wrong of [
      { counts: { ...counts, WARNING: counts.WARNING! + 1 } },
      { plots: plots + 1 },
      { shard: { ...shard, index: 2 } },
      { output: { ...output, sha256: "ab".repeat(32) } },
      { output: { ...output, bytes: output.bytes + 1 } },
    ]) {
      changeDescription("shard-0", { counts, plots, read, shard, output, ...wrong });
      expect(await refusal("."), JSON.stringify(wrong)).toBe("3 SHARD_DAMAGED");
    }
  });

  it("to write over a shard, under any name", async () => {
    await makeShards(1, "ndjson");
    const before = readFileSync(at("shard-0"));
    linkSync(at("shard-0"), at("second name"));
    for (const output of ["shard-0", "second name", "shard-0.run.json"]) {
      const { code, err } = await runGroundrule(["merge", "shard-0", "--output", output], at());
      expect(`${code} ${err}`, output).toContain("OUTPUT_INVALID");
    }
    expect(readFileSync(at("shard-0"))).toEqual(before);
  });

  it("a file of errors that is named in vain, or forgotten", async () => {
    await makeShards(1, "ndjson");
    expect(await refusal(".", "--errors", "errors")).toMatch(/^2 .*have their error lines in their results/);
    await makeShards(1, "ndjson", { errors: "errors" });
    expect(await refusal(".")).toMatch(/^2 .*--errors FILE/);
  });
});
