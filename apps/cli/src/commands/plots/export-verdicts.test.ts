import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { Verdict } from "@groundrule/engine";
import { verdictDigest } from "@groundrule/engine/records";
import { createSharedFolder } from "@groundrule/testing/folder";
import { createBoxPositions, createSquarePolygon } from "@groundrule/testing/shapes";
import { beforeAll, describe, expect, it } from "vitest";
import { runInProcess } from "../../../test/in-process.ts";
import { formatNdjson, makeFeature } from "../../../test/plot-texts.ts";

const { at, write } = createSharedFolder();
const NOW = "2026-11-01T00:00:00Z";
const question = { en: "?" };
const RULESET = {
  facts: { cleared: { type: "boolean", question } },
  sets: { protected: { sources: ["demo:parks"] } },
  checks: [
    { id: "overlap", set: "protected", measure: "overlap_area_m2", value: 1, outcome: "NON_COMPLIANT" },
    { id: "cleared", fact: "cleared", value: true, outcome: "WARNING", uncovered: "NOTICE" },
  ],
};

const plot = (id: string, geometry: object, more = {}) =>
  makeFeature(id, geometry, { ProducerName: id, ProducerCountry: "BR", ...more });
const PLOTS = [
  plot("good", createSquarePolygon(-59.1, -9.1, 0.001)),
  plot("in-park", createSquarePolygon(-60, -9.995, 0.001)),
  plot("point", { type: "Point", coordinates: [-59.2, -9.2] }),
  plot("asked", createSquarePolygon(-59.3, -9.3, 0.001), { "fact:cleared": "sim" }),
  // Export cuts its seventh decimals, and no more.
  plot("fine", createSquarePolygon(-59.4123456, -9.4123456, 0.001)),
];
const INPUT = formatNdjson(...PLOTS);

interface Line {
  readonly id: string;
  readonly verdict: Verdict;
}
let lines: readonly Line[];
let runs = 0;

const evaluate = async (input: string, ...args: string[]): Promise<Line[]> => {
  const common = ["--ruleset", at("rules.json"), "--data", at("data"), "--now", NOW, "--point-area-ha", "4"];
  const { code, err, lines } = await runInProcess(["evaluate", ...common, ...args], { input });
  expect(code, err).toBe(0);
  return lines as unknown as Line[];
};

/** Exports by these lines, and returns the names of the producers written. */
const exported = async (text: string, input = INPUT, ...args: string[]) => {
  const [path, out] = [write(`verdicts-${++runs}.ndjson`, text), at(`out-${runs}`)];
  const named = ["--verdicts", path, "--ruleset", at("rules.json"), "--now", NOW];
  const { code, err } = await runInProcess(["plots", "export", "--out", out, ...named, ...args], { input });
  const names = existsSync(out) ? readdirSync(out) : [];
  return { code, err, plots: names.filter((name) => /^\d/.test(name)).map((name) => name.slice(8, -8)) };
};
/** A line with other members, and with the digest that they make. */
const changed = ({ id, verdict }: Line, members: object): Line => {
  const other = { ...verdict, ...members };
  return { id, verdict: { ...other, digest: verdictDigest(other) } };
};

beforeAll(async () => {
  write("rules.json", RULESET);
  const parks = write("parks.geojson", makeFeature("P", createSquarePolygon(-60, -9.995, 0.002)));
  const source = ["--source", "demo:parks", "--collected-at", "2026-10-01T00:00:00Z", "--data", at("data")];
  const { code, err } = await runInProcess(["snapshot", "build", ...source, parks]);
  expect(code, err).toBe(0);
  lines = await evaluate(INPUT);
});

describe("plots export --verdicts", () => {
  it("writes the plots whose own verdict is COMPLIANT, and counts the others by reason", async () => {
    const { code, err, plots } = await exported(formatNdjson(...lines));
    expect(plots).toEqual(["good", "point", "fine"]);
    expect(err).toContain("5 verdicts count\n");
    expect(err).toContain("left out by their verdicts: 1 NON_COMPLIANT, 1 WARNING\n");
    expect(err).toContain("3 exported plots have a verdict with open checks, which the ruleset waives\n");
    expect(code).toBe(0);
    const { features } = JSON.parse(readFileSync(at(`out-${runs}/left-out.geojson`), "utf8"));
    expect(features.map((each: { properties: object }) => each.properties)).toMatchObject([
      { left_out_because: "VERDICT_NON_COMPLIANT: found the verdict NON_COMPLIANT, expected COMPLIANT" },
      { left_out_because: expect.stringMatching(/^VERDICT_WARNING: /) },
    ]);
    expect(JSON.parse(readFileSync(at(`out-${runs}/manifest.json`), "utf8")).verdicts).toEqual({
      ruleset: lines[0]!.verdict.ruleset.digest,
      max_age_days: 31,
    });
  });

  const day = (days: number) => new Date(Date.parse(NOW) + days * 86_400_000).toISOString();
  it.each<readonly [string, (good: Line, park: Line) => string, string]>([
    [
      "another ruleset",
      (good) => formatNdjson(changed(good, { ruleset: { ...good.verdict.ruleset, digest: "0".repeat(64) } })),
      "1 is of another ruleset",
    ],
    [
      "an age beyond the limit",
      (good) => formatNdjson(changed(good, { evaluated_at: day(-31.1) })),
      "1 is too old",
    ],
    ["the future", (good) => formatNdjson(changed(good, { evaluated_at: day(1) })), "1 lies in the future"],
    [
      "a status that is not ok",
      (good) => formatNdjson(changed(good, { status: "degraded" })),
      "1 is degraded",
    ],
    [
      "a word that was changed afterwards",
      (_, park) =>
        formatNdjson({ ...park, verdict: { ...park.verdict, verdict: "COMPLIANT", at_least: "COMPLIANT" } }),
      "1 does not fit its own digest",
    ],
    [
      "a word that what is certain excludes",
      (good) => formatNdjson(changed(good, { at_least: "WARNING" })),
      "1 does not fit its own digest",
    ],
    [
      "checks that are worse than the word",
      (_, park) => {
        const members = { verdict: "COMPLIANT", at_least: "COMPLIANT" };
        return formatNdjson(changed(park, members));
      },
      "1 does not fit its own digest",
    ],
    [
      "no digest",
      (good) => formatNdjson({ ...good, verdict: { ...good.verdict, digest: null } }),
      "1 does not fit its own digest",
    ],
    [
      "fewer checks than the ruleset has",
      (good) => formatNdjson(changed(good, { checks: [] })),
      "1 does not fit its own digest",
    ],
    [
      "checks without their evidence",
      (good) =>
        formatNdjson({
          ...good,
          verdict: { ...good.verdict, checks: good.verdict.checks.map(({ evidence: _, ...check }) => check) },
        }),
      "1 is no verdict",
    ],
    [
      "DEGRADED with the status ok",
      (good) => formatNdjson(changed(good, { verdict: "DEGRADED" })),
      "1 is degraded",
    ],
    [
      "an input of another plot",
      (good, park) => formatNdjson({ ...good, verdict: { ...good.verdict, input: park.verdict.input } }),
      "1 does not fit its own digest",
    ],
    [
      "the id of another plot",
      (_, park) => formatNdjson({ ...park, id: "good" }),
      "1 with a verdict on another input",
    ],
    [
      "a line that ends early",
      (good) => `${formatNdjson({ id: "x" })}${JSON.stringify(good).slice(0, 300)}\n`,
      "2 are no verdicts",
    ],
    ["no line", () => "", "5 without a verdict"],
    [
      "two verdicts that disagree",
      (good) => formatNdjson(good, changed(good, { verdict: "WARNING", at_least: "WARNING" })),
      "1 with verdicts that disagree",
    ],
    [
      "a degraded verdict that is certain of more",
      (good) =>
        formatNdjson(
          good,
          changed(good, { status: "degraded", verdict: "DEGRADED", at_least: "NON_COMPLIANT" }),
        ),
      "1 with verdicts that disagree",
    ],
  ])("exports nothing on %s", async (_, text, reason) => {
    const { code, err, plots } = await exported(text(lines[0]!, lines[1]!));
    expect(plots).toEqual([]);
    expect(err).toContain(reason);
    expect(code).toBe(1);
  });

  it("takes the age that is named, and facts as they were declared to the screening", async () => {
    const old = lines.map((line) => changed(line, { evaluated_at: day(-40) }));
    const named = await exported(formatNdjson(...old), INPUT, "--verdicts-max-age-days", "41");
    expect(named.plots).toEqual(["good", "point", "fine"]);
    const declared = formatNdjson(...(await evaluate(formatNdjson(PLOTS[0]!), "--fact", "cleared=no")));
    const without = await exported(declared, formatNdjson(PLOTS[0]!));
    expect([without.code, without.plots]).toEqual([1, []]);
    const repeated = await exported(declared, formatNdjson(PLOTS[0]!), "--fact", "cleared=no");
    expect([repeated.code, repeated.plots]).toEqual([0, ["good"]]);
  });

  it("takes no verdict on a plot that fixing changes, but one on what the system will hold", async () => {
    const swapped = formatNdjson(plot("swapped", createSquarePolygon(-9.1, -59.1, 0.001)));
    const raw = await exported(formatNdjson(...(await evaluate(swapped))), swapped, "--fix");
    expect([raw.code, raw.plots]).toEqual([1, []]);
    expect(raw.err).toContain("1 with a verdict on the plot as it was before it was fixed");
    const asSubmitted = formatNdjson(...(await evaluate(swapped, "--as-submitted", "eudr")));
    const fixed = await exported(asSubmitted, swapped, "--fix");
    expect([fixed.code, fixed.plots]).toEqual([0, ["swapped"]]);
  });

  it("is the third of three commands from a Kobo export to the EU's file", async () => {
    const ring = (east: number) =>
      createBoxPositions(0, 0, 0.004, 0.004)
        .map(([x, y]) => `${-9.996 + y!} ${east + x!} 0.0 4.5`)
        .join(";");
    const rows = [
      "farmer_name;plot_boundary;_gps_latitude;_gps_longitude;_id",
      `Ana Lima;"${ring(-59.9)}";;;901`,
      `ana lima ;"${ring(-59.8)}";;;902`,
      `Bia Reis;"${ring(-60)}";;;903`,
      "Caio Melo;;-9.9;-59.7;904",
    ];
    const [csv, fixed] = [write("kobo.csv", rows.join("\n")), at("kobo.geojson")];
    const fix = await runInProcess(["plots", "fix", csv, "--fill", "--output", fixed]);
    expect(fix).toMatchObject({
      code: 0,
      err: expect.stringContaining('plot 901: ProducerCountry was missing and became "BR"'),
    });
    const input = readFileSync(fixed, "utf8");
    const { code, err, plots } = await exported(formatNdjson(...(await evaluate(input))), input);
    expect([code, plots]).toEqual([0, ["Ana-Lima", "Caio-Melo"]]);
    expect(err).toContain("left out by their verdicts: 1 NON_COMPLIANT\n");
    expect(err).toContain('the producer "Ana Lima" is also written "ana lima "');
    const { features } = JSON.parse(readFileSync(at(`out-${runs}/0001-BR-Ana-Lima.geojson`), "utf8"));
    expect(features.map((each: { properties: object }) => each.properties)).toEqual(
      [1, 2].map(() => ({ ProducerName: "Ana Lima", ProducerCountry: "BR", Area: expect.closeTo(19.4, 0) })),
    );
    const point = JSON.parse(readFileSync(at(`out-${runs}/0002-BR-Caio-Melo.geojson`), "utf8")).features[0];
    expect(point.properties).toEqual({ ProducerName: "Caio Melo", ProducerCountry: "BR" });
  });

  it("removes plots of an earlier export that are left out now", async () => {
    const out = at("again");
    const args = ["plots", "export", "--out", out, "--force"];
    await runInProcess([...args, "--fix"], { input: INPUT });
    const path = write("again.ndjson", formatNdjson(...lines));
    await runInProcess([...args, "--verdicts", path, "--ruleset", at("rules.json"), "--now", NOW], {
      input: INPUT,
    });
    const kept = readdirSync(out).filter((name) => /^\d/.test(name));
    expect(kept).toEqual(["0001-BR-good.geojson", "0002-BR-point.geojson", "0003-BR-fine.geojson"]);
  });

  it.each([
    [["--verdicts", "v.ndjson"], "found --verdicts without --ruleset"],
    [["--ruleset", "r.json"], "found --ruleset without --verdicts"],
    [["--fact", "a=1"], "found --fact without --verdicts"],
  ])("refuses %j", async (args, message) => {
    const { code, err } = await runInProcess(["plots", "export", ...args], { input: INPUT });
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});
