import { palette } from "@groundrule/engine/rulesets";
import { VERDICT_COLORS } from "@groundrule/words";
import { describe, expect, it } from "vitest";
import { type HardRecord, HOSTILE, hardRecords } from "../test/hard-records.ts";
import { gatherMaterial, mapFrames } from "./gather-material.ts";
import { renderReport } from "./render-report.ts";

const records = hardRecords();
const renderPage = ({ record, engine }: HardRecord) =>
  renderReport(record, gatherMaterial(record, { engine }));
const pages = Object.fromEntries(Object.entries(records).map(([name, hard]) => [name, renderPage(hard)]));
/** The page's text, without its markup. */
const toText = (page: string) =>
  page
    .replace(/<style>[\s\S]*?<\/style>/, "")
    .replace(/<wbr>|<\/?i>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(
      /&(lt|gt|amp|quot|#39);/g,
      (_, name) => ({ lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'" })[name as "lt"],
    )
    .replace(/\s+/g, " ");

describe.each(Object.entries(pages))("the page of the %s record", (name, page) => {
  it("requests nothing from the network and runs nothing", () => {
    expect(page).not.toMatch(/<(script|link|img|iframe|object|embed|base|form)\b/i);
    const tags = page
      .match(/<[^>]*>/g)!
      .join("\n")
      .replace(/"[^"]*"/g, '""');
    expect(tags).not.toMatch(/\s(href|src|srcset|action|on[a-z]+)\s*=/i);
    expect(page).not.toMatch(/@import|url\((?!#)/i);
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  });

  it("is well formed: every element that opens is closed, in order", () => {
    const voids = new Set(["meta", "br", "wbr"]);
    const open: string[] = [];
    const body = page.replace(/<!doctype html>/, "").replace(/<style>[\s\S]*?<\/style>/, "");
    for (const [, slash, tag, rest] of body.matchAll(/<(\/?)([a-zA-Z][a-zA-Z0-9]*)([^>]*)>/g)) {
      if (slash === "/") expect(open.pop()).toBe(tag);
      else if (!voids.has(tag!) && !rest!.endsWith("/")) open.push(tag!);
    }
    expect(open).toEqual([]);
  });

  it("is the same page for the same record", () => {
    expect(renderPage(hardRecords()[name as keyof typeof records])).toBe(page);
  });

  it("bears the digests by which the verdict can be reached again", () => {
    const { data } = records[name as keyof typeof records].record.response;
    const text = toText(page);
    for (const digest of [data.digest!, data.ruleset.digest, data.input.digest])
      expect(text).toContain(digest);
    for (const { edition } of data.sources) if (edition !== undefined) expect(text).toContain(edition);
    expect(text).toContain("groundrule replay RECORD");
    expect(text).toContain("This was done when the page was made, and the result was identical.");
  });

  it("shows each comparison's value and threshold as they were compared", () => {
    const text = toText(page);
    for (const { comparisons } of records[name as keyof typeof records].record.response.data.checks) {
      for (const { value, measure } of comparisons) {
        if (value !== null && value !== 0 && measure !== "count") expect(text).toContain(String(value));
      }
    }
  });
});

describe("renderReport", () => {
  it("shows hostile text as text, and what reorders text as a mark", () => {
    const text = toText(pages.crowded!);
    expect(text).toContain(HOSTILE.replace("\u202e", "\ufffd"));
    expect(pages.crowded).not.toContain("\u202e");
    expect(pages.crowded).not.toContain("<img");
  });

  it("keeps text of every script as it is", () => {
    for (const name of ["محمية الجبل الأخضر الطبيعية", "三江源国家级自然保护区", "பவானிசாகர் காப்புக்காடு"]) {
      expect(pages.crowded).toContain(`<bdi>${name}</bdi>`);
    }
  });

  it("shows filters as text, and the ruleset as it was sent", () => {
    const text = toText(pages.crowded!);
    expect(text).toContain("where founded < DATE('2010-01-01')");
    expect(text).toContain('"where": { "op": "<",');
  });

  it("has the ruleset as it was sent in a box that is closed unless the options say otherwise", () => {
    const { record } = records.crowded;
    const render = (options: object) => renderReport(record, gatherMaterial(record), options);
    expect(render({})).toContain("<details><summary>Ruleset as sent</summary>");
    expect(render({ withRuleset: true })).toContain("<details open><summary>Ruleset as sent</summary>");
  });

  it("refers to the evidence of a check above that is the same, and has one table of declared answers", () => {
    const page = pages.declared!;
    const found = toText(page);
    expect(found.match(/The evidence is that of/g)).toHaveLength(1);
    expect(page.match(/<h2 id="declared">/g)).toHaveLength(1);
    expect(found.match(/How many fiscal modules\? 6 modules > 4 modules : met/g)).toHaveLength(1);
  });

  it("states how many evidence items there are, and numbers areas on the map as in the tables", () => {
    const text = toText(pages.crowded!);
    expect(pages.crowded!.match(/data-label="No." class="n no">/g)!.length).toBeGreaterThan(60);
    expect(pages.crowded).toMatch(/<text [^>]*font-weight="700" class="ink">1<\/text>/);
    expect(text).toContain("For 12 areas the filter of the check could not be decided");
    expect(text).toContain("undetermined");
  });

  it("draws no more points than can be seen", () => {
    expect(pages.crowded!.length).toBeLessThan(200_000);
    for (const [, path] of pages.crowded!.matchAll(/ d="([^"]*)"/g))
      expect(path!.length).toBeLessThan(20_000);
  });

  it("states for a degraded verdict what is certain, what failed and why, and what is open", () => {
    const text = toText(pages.degraded!);
    expect(text).toContain("? Incomplete 1 of 5 checks could not be decided, because a source failed.");
    expect(text).toContain("“Not compliant” is certain, whatever the missing data says.");
    expect(text).toMatch(/On embargoed land \? Undecided/);
    expect(text).toContain("hard:failed could not be opened: the file of its edition is missing .");
    expect(text).toMatch(/Embargoes \? Failed/);
  });

  it("states which checks are not answered, why, and what they count as", () => {
    const text = toText(pages.uncovered!);
    expect(text).toContain(
      "2 of 3 checks could not be decided, because their sources do not cover all of the land",
    );
    expect(text).toContain(
      "1 of 3 checks could not be decided and counts as failed: not covered. 1 needs a look: near a park. 1 could not be decided and is waived: not covered.",
    );
    expect(text).toMatch(/In a park ✕ Not covered: Not compliant/);
    expect(text).toMatch(/Park, waived i Not covered: waived/);
    expect(text).toContain("covers 50.00 % of the plot. It is not known what is on the rest of it.");
    expect(text).toContain("The ruleset counts that as “Not compliant”.");
    expect(text).toContain("Covers part of the plot Licence");
    expect(text).toContain("The ruleset does not examine: Water rights");
    expect(toText(pages.crowded!)).toContain("declares no coverage. It is assumed to cover the plot.");
  });

  it("states what is fictional, what was only assumed, what a source contains, and which members a group had", () => {
    const text = toText(pages.doubtful!);
    const notice =
      "Fictional data: the content of hard:made_up is invented, and none of it is true of the plot.";
    expect(text.slice(0, text.indexOf("Measured"))).toContain(notice);
    expect(text).toContain("Made-up parks fictional 0 areas matched");
    expect(text).toContain(`Scope federal units ${HOSTILE.replace("\u202e", "\ufffd")}`);
    expect(text).toContain("Covers the whole plot, assumed from the countries of its areas, not declared");
    expect(text).toContain(
      "hard:made_up declares no coverage. It is assumed to cover the countries of its areas.",
    );
    expect(text).toContain("Group hard:all hard:covering, hard:made_up");
    expect(text).toContain("areas of hard:all that intersect the plot, of declared coverage only");
    for (const page of [pages.crowded!, pages.uncovered!]) {
      expect(page).not.toMatch(/fictional|Fictional|assumed from|Group hard/);
    }
  });

  it("names the groups of a record whose verdict does not have them yet", () => {
    const { record } = records.doubtful;
    const { groups, ...data } = record.response.data;
    const old = { ...record, response: { ...record.response, data } };
    expect(toText(renderReport(old, gatherMaterial(old)))).toContain(
      `Group hard:all ${groups!["hard:all"]!.join(", ")}`,
    );
  });

  it("states how near the nearest area is where a check counts those within a distance, and shows columns", () => {
    const text = toText(pages.uncovered!);
    expect(text).toMatch(
      /Distance to the nearest area of “near” compared as Number of matches in “near”: 1 > 0 28\d(?:\.\d)? m below the limit 21\d\.\d m 21\d\.\d+ m ≤ 500 m 500 m Warning/,
    );
    expect(text).toContain("since : 2001-05-06");
  });

  it("names a record about identifiers alone by them, without a map", () => {
    const text = toText(pages.subjects!);
    expect(text).toContain("br:cnpj 11.222.333/0001-81");
    expect(text).toContain("none; the checks concern identifiers only");
    expect(pages.subjects).not.toContain("<svg");
  });

  it("draws a plot on both sides of the antimeridian in one piece", () => {
    expect(toText(pages.antimeridian!)).toContain("16.95000° S, 180.00000°");
    const [, path = ""] = / d="([^"]+)" fill="none" class="plot"/.exec(pages.antimeridian!)!;
    const xs = [...path.matchAll(/[ML](-?[\d.]+) /g)].map(([, x]) => Number(x));
    expect(Math.min(...xs)).toBeGreaterThan(0);
    expect(Math.max(...xs)).toBeLessThan(680);
  });

  it("draws the discs of points, and states what they are", () => {
    const text = toText(pages.point!);
    expect(text).toContain("Area of the plot 4.00 ha");
    expect(text).toContain("a disc of 4 ha around the point: 1 polygon, 65 positions, sent in OGC:CRS84");
    const findPath = (page: string) => / d="([^"]+)" fill="none" class="plot"/.exec(page)![1]!;
    expect(findPath(pages.point!).match(/[ML]/g)!.length).toBeGreaterThan(30);
    expect(pages.point!.match(/<path d="M[^"]+" fill="url\(#map0-hatch/g)!.length).toBeGreaterThan(1);
    expect(toText(pages.points!)).toContain("a disc of 1.5 ha around each of 3 points: 2 polygons");
    expect(findPath(pages.points!).match(/M/g)).toHaveLength(2);
  });

  it("shows verdicts in their own colours on both grounds, and areas in those of their checks", () => {
    const page = pages.crowded!;
    const { ruleset } = records.crowded.record.request;
    const { checks } = palette(ruleset as Parameters<typeof palette>[0]);
    for (const ground of ["light", "dark"] as const) {
      expect(page).toContain(`--non-compliant: ${VERDICT_COLORS[ground].text.NON_COMPLIANT};`);
      expect(page).toContain(`--warning-mark: ${VERDICT_COLORS[ground].marks.WARNING};`);
    }
    expect(page).toMatch(
      /<section class="verdict"[^>]* style="--c: var\(--non-compliant\); --m: var\(--non-compliant-mark\)"/,
    );
    expect(pages.antimeridian).toMatch(/<article class="check[^"]*" style="--m: var\(--line\)">/);
    expect(page).not.toContain(`<article class="check" style="--c: #`);
    expect(page).toContain(`<span class="badge" style="--c: ${checks.strips}">`);
  });

  it("draws a value with its limit where a check measures an area or a share", () => {
    const [ruler] = /<svg class="ruler"[\s\S]*?<\/svg> [^<]*/.exec(pages.point!) ?? [];
    expect(ruler).toMatch(
      /class="track"[\s\S]*class="filled"[\s\S]*class="tick"[\s\S]*(?:above|below|at) the limit$/,
    );
    expect(pages.subjects).not.toContain('class="ruler"');
  });

  it("names in its legend nothing that its maps do not show", () => {
    const { record } = records.crowded;
    const bare = toText(renderReport(record, gatherMaterial(record)));
    expect(bare).toContain("the plot North is up; coordinates are WGS 84.");
    const full = toText(pages.crowded!);
    for (const sign of ["Hatched: part", "dashed outline", "numbers: the evidence"]) {
      expect(full).toContain(sign);
      expect(bare.toLowerCase()).not.toContain(sign.toLowerCase());
    }
  });

  it("shows a reference where it is not what the page calls the plot", () => {
    const { record } = records.crowded;
    const data = { ...record.response.data, reference_id: "invoice 7" };
    const named = { ...record, id: "field 1", response: { ...record.response, data } };
    expect(toText(renderReport(named, gatherMaterial(named)))).toContain("Reference invoice 7");
    const same = { ...named, id: "invoice 7" };
    expect(toText(renderReport(same, gatherMaterial(same)))).not.toContain("Reference invoice 7");
  });

  it("states that it has nothing but the record", () => {
    const { record } = records.crowded;
    const page = renderReport(record, gatherMaterial(record, { lack: "The edition is not archived." }));
    const text = toText(page);
    expect(text).toContain("Not evaluated again. The edition is not archived.");
    expect(text).not.toContain("identical");
    expect(page).toContain("<svg");
  });

  it("states that no service was queried again, and names each area of the evidence that its map lacks", () => {
    const { record, engine } = records.crowded;
    const drawn = mapFrames(record).map((_, i) => (i === 0 ? engine : undefined));
    const text = toText(renderReport(record, gatherMaterial(record, { drawn })));
    expect(text).toContain(
      "This report was made from the service's answer. Run groundrule replay to verify it.",
    );
    expect(text).toMatch(/\d+ areas? of the evidence (?:is|are) not on the map/);
    const none = toText(renderReport(record, gatherMaterial(record, { drawn: [] })));
    const lacking = (page: string): number =>
      Number(/(\d+) areas of the evidence are not on/.exec(page)?.[1]);
    expect(lacking(none)).toBeGreaterThan(lacking(text));
    expect(pages.crowded).not.toContain("not on the map");
  });

  it("warns where the record does not follow from its own ruleset and editions", () => {
    const { record, engine } = records.crowded;
    const data = { ...record.response.data, verdict: "COMPLIANT" as const };
    const altered = { ...record, response: { ...record.response, data } };
    const text = toText(renderReport(altered, gatherMaterial(altered, { engine })));
    expect(text).toContain("This record is not confirmed. A second evaluation gives NON_COMPLIANT");
  });
});
