import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSharedFolder } from "@groundrule/testing/folder";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { beforeAll, describe, expect, it } from "vitest";
import { runInProcess, splitCommandWords } from "../../test/in-process.ts";
import { formatNdjson, makeFeature } from "../../test/plot-texts.ts";

const NOW = "2026-06-30T12:00:00Z";

const { at, write } = createSharedFolder();
const run = (...args: string[]) => runInProcess([...args, "--data", at("data")]);
const digest = (source: string) =>
  readdirSync(at(`data/editions/${source.replace(":", "_")}`))
    .find((name) => name.endsWith(".snapshot"))!
    .slice(0, 64);

/** A call of each command that evaluates or queries. */
const ASKING = (): Record<string, string[]> => ({
  evaluate: ["evaluate", "--ruleset", at("rules.json"), at("plots.ndjson")],
  screen: ["screen", "--ruleset", at("rules.json"), "--workers", "1", at("plots.ndjson")],
  intersections: ["intersections", at("plots.ndjson")],
  distance: ["distance", "--max-distance-m", "1000", at("plots.ndjson")],
  subjects: ["subjects", "--scheme", "br:cnpj", "--value", "11.222.333/0001-81"],
  backtest: splitCommandWords`backtest --old ${at("rules.json")} --new ${at("other.json")}
      --workers 1 --plots ${at("plots.ndjson")}`,
  explain: ["explain", "--ruleset", at("rules.json"), at("plots.ndjson")],
});
const READS_A_CLOCK = ["evaluate", "screen", "intersections", "distance", "subjects", "backtest"];

beforeAll(async () => {
  write("parks.geojson", makeFeature("P1", createSquarePolygon(0, 0)));
  write("listed.csv", "id,cnpj\n1,11.222.333/0001-81\n");
  const plots = Array.from({ length: 120 }, (_, i) => makeFeature(i, createSquarePolygon(i / 80, 0)));
  write("plots.ndjson", formatNdjson(...plots));
  const ruleset = (value: number) => ({
    sets: { parks: { sources: ["demo:parks"] } },
    checks: [{ id: "in", set: "parks", measure: "overlap_ratio", value, outcome: "WARNING" }],
  });
  write("rules.json", ruleset(0.1));
  write("other.json", ruleset(0.5));
  const collected = ["--collected-at", "2026-06-01T00:00:00Z"];
  await run("snapshot", "build", "--source", "demo:parks", ...collected, at("parks.geojson"));
  const columns = ["--kind", "subject_register", "--id", "id", "--value", "cnpj", "--scheme", "br:cnpj"];
  await run("snapshot", "build", "--source", "demo:listed", ...columns, at("listed.csv"));
});

describe("--now", () => {
  it("makes two runs of screen the same bytes, with any number of workers, and those of evaluate", async () => {
    const screened = await Promise.all(
      ["1", "3"].map((workers) =>
        run("screen", "--ruleset", at("rules.json"), "--workers", workers, "--now", NOW, at("plots.ndjson")),
      ),
    );
    const evaluated = await run(...ASKING().evaluate!, "--now", NOW);
    expect(evaluated.code).toBe(0);
    expect(evaluated.out.match(/"WARNING"/g)!.length).toBeGreaterThan(40);
    for (const { out } of screened) expect(out).toBe(evaluated.out);
    expect(evaluated.lines[0]!.verdict).toMatchObject({
      evaluated_at: NOW,
      sources: [{ source_name: "demo:parks", age_days: 29 }],
    });
  });

  it.each(READS_A_CLOCK)(
    "is taken by %s, and refused where it is no instant, before any plot is read",
    async (name) => {
      const command = ASKING()[name]!;
      expect((await run(...command, "--now", NOW)).code).toBe(0);
      for (const wrong of ["2026-06-30", "2026-02-30T00:00:00Z", "2026-06-30T12:00:00+02:00", "now"]) {
        const { code, out, err } = await run(...command, "--now", wrong);
        expect({ code, out }).toEqual({ code: 2, out: "" });
        expect(err).toContain(`found --now "${wrong}", expected an instant such as 2026-11-20T10:00:00Z`);
      }
    },
  );
});

describe("--expect-edition", () => {
  it.each([...READS_A_CLOCK, "explain"])(
    "lets %s run on the edition it names, and on no other",
    async (name) => {
      const command = ASKING()[name]!;
      const [parks, listed] = [digest("demo:parks"), digest("demo:listed")];
      const expecting = (...editions: string[]) =>
        run(...command, ...editions.flatMap((edition) => ["--expect-edition", edition]));
      const plain = await run(...command);
      const timeless = (text: string) => text.replaceAll(/"(evaluated_at)":"[^"]*"/g, "");
      for (const digits of [parks, parks.slice(0, 12)]) {
        const { code, out } = await expecting(`demo:parks=${digits}`, `demo:listed=${listed}`);
        expect({ code, out: timeless(out) }).toEqual({ code: 0, out: timeless(plain.out) });
      }
      const other = `${parks.slice(0, 63)}${parks[63] === "0" ? "1" : "0"}`;
      const refused = await expecting(`demo:listed=${listed}`, `demo:parks=${other}`);
      expect(refused).toMatchObject({ code: 3, out: "" });
      expect(refused.err).toContain(`found edition ${parks} of "demo:parks"`);
      expect(refused.err).toContain(`expected ${other}`);
      expect(refused.err).toContain("EDITION_UNEXPECTED");
    },
  );

  it.each([
    ["demo:park=000000000000", 3, 'found no source "demo:park"', 'did you mean "demo:parks"?'],
    ["all=000000000000", 3, 'found the group "all", expected a source', "demo:listed, demo:parks"],
    ["demo:parks=00000000000", 2, "expected SOURCE=DIGEST with 12 to 64 digits"],
    [`demo:parks=${"0".repeat(65)}`, 2, "expected SOURCE=DIGEST with 12 to 64 digits"],
    ["demo:parks", 2, "expected SOURCE=DIGEST with 12 to 64 digits"],
    ["demo:parks=ABCDEFABCDEF", 2, "of 0-9 and a-f"],
  ])("refuses %s with %i", async (edition, code, ...why) => {
    await run("sources", "group", "all", "demo:parks", "demo:listed");
    const refused = await run(...ASKING().evaluate!, "--expect-edition", edition);
    expect(refused).toMatchObject({ code, out: "" });
    for (const text of why) expect(refused.err).toContain(text);
  });

  it("is not met by an edition whose file does not open", async () => {
    const parks = digest("demo:parks");
    const path = at(`data/editions/demo_parks/${parks}.snapshot`);
    const sound = readFileSync(path);
    writeFileSync(path, sound.subarray(0, 100));
    const refused = await run(...ASKING().evaluate!, "--expect-edition", `demo:parks=${parks}`);
    writeFileSync(path, sound);
    expect(refused).toMatchObject({ code: 3, out: "" });
    expect(refused.err).toContain("is expected but does not open");
  });
});

describe("--strict-coverage", () => {
  const words = (out: string) => [...new Set(out.match(/"verdict":"[A-Z_]+"/g))];

  it("takes a source without a coverage to cover no plot, in every command that evaluates", async () => {
    const { evaluate, screen, backtest } = ASKING();
    for (const command of [evaluate!, screen!]) {
      expect(words((await run(...command)).out)).toContain('"verdict":"COMPLIANT"');
      expect(words((await run(...command, "--strict-coverage")).out)).toEqual(['"verdict":"WARNING"']);
    }
    const flips = (await run(...backtest!)).lines.at(-1)!.summary;
    const strict = (await run(...backtest!, "--strict-coverage")).lines.at(-1)!.summary;
    expect(flips).toMatchObject({ flipped: 32 });
    expect(strict).toMatchObject({ plots: 120, flipped: 0 });
  });

  it("is kept in records, and a replay takes it from there", async () => {
    const { evaluate, screen } = ASKING();
    const recorded = async (command: string[], ...more: string[]) => {
      const path = at(`records-${command[0]}${more.length}`);
      expect((await run(...command, ...more, "--record", path)).code).toBe(0);
      const { code, lines } = await run("replay", path);
      expect(code).toBe(0);
      for (const { result } of lines) expect(result).toBe("identical");
      const file = command[0] === "screen" ? join(path, "records-00001.ndjson") : path;
      return JSON.parse(readFileSync(file, "utf8").split("\n")[0]!).request.options;
    };
    for (const command of [evaluate!, screen!]) {
      expect(await recorded(command)).toBeUndefined();
      expect(await recorded(command, "--strict-coverage")).toEqual({ strict_coverage: true });
    }
  });
});
