import { getTongue, LANGUAGES } from "@groundrule/words/languages";
import { describe, expect, it } from "vitest";
import { HOSTILE, hardRecords } from "../../test/hard-records.ts";
import { renderRefusal } from "../render-refusal.ts";
import type { PortfolioRow } from "./portfolio-rows.ts";
import { SCRIPT, SCRIPT_HASH } from "./portfolio-script.ts";
import { renderPortfolio } from "./render-portfolio.ts";

const { uncovered, crowded, antimeridian, doubtful, subjects } = hardRecords();
const ROWS: readonly PortfolioRow[] = [
  { id: 1, name: HOSTILE, record: uncovered.record, link: "reports/1.html" },
  { id: HOSTILE, record: crowded.record, link: "javascript:alert(1)" },
  { id: "Taveuni", name: "A".repeat(10_000), record: antimeridian.record },
  { id: "listed", record: subjects.record },
  {
    id: "-3",
    geometry: { type: "Point", coordinates: [7, 8] },
    error: { code: "GEOMETRY_INVALID", message: HOSTILE },
  },
];
const page = renderPortfolio(ROWS);

/** Shortens the text that a failing test prints. */
const withoutMap = (text: string): string => text.replace(/<(svg|style)[\s\S]*?<\/\1>/g, "");
const withoutScript = (text: string): string => text.replace(/<script>[\s\S]*?<\/script>/, "");

describe("renderPortfolio", () => {
  it("lets its one script run by the hash of its bytes, and nothing else", async () => {
    const [script, ...others] = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text]) => text!);
    expect(script).toBe(SCRIPT);
    expect(others).toEqual([]);
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script));
    expect(btoa(String.fromCharCode(...new Uint8Array(digest)))).toBe(SCRIPT_HASH);
    expect(page).toContain(`script-src 'sha256-${SCRIPT_HASH}'`);
    expect(SCRIPT).not.toMatch(/innerHTML|eval|Function\(|fetch|import|XMLHttp|document\.write|<\//);
  });

  it("shows hostile text as text, cut where it is long, and follows no link that could run", () => {
    const markup = withoutScript(page);
    expect(markup).not.toMatch(/<(?:script|img|link|iframe|base)\b/i);
    expect(markup).not.toContain("\u202e");
    expect(markup).not.toContain("javascript:");
    expect(markup).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(markup).toContain('<a href="reports/1.html">');
    expect(markup).not.toContain("A".repeat(130));
  });

  it("counts plots by verdict and by check", () => {
    expect(withoutMap(page)).toMatch(
      /<span class="count">3<\/span> <span class="word"><span class="sign" aria-hidden="true">✕<\/span> Not compliant/,
    );
    expect(withoutMap(page)).toMatch(
      /<span class="count">1<\/span> <span class="word"><span class="sign" aria-hidden="true">–<\/span> Can&#39;t be checked/,
    );
    expect(withoutMap(page)).toMatch(
      /<th scope="row"><bdi>In a park<\/bdi><\/th>(?:<td class="n zero">0<\/td>)+<td class="n">1<\/td>/,
    );
  });

  it("states first how many plots have the worst verdict, and lists the worst first, each with its number", () => {
    expect(page).toContain('<p class="lead">3 of 5 plots are not compliant.</p>');
    const compliant = {
      id: "c",
      verdict: { ...subjects.record.response.data, verdict: "COMPLIANT" as const },
    };
    const better = renderPortfolio([compliant, { id: "asked later" }, ...ROWS.slice(4)], { language: "pt" });
    expect(better).toContain('<p class="lead">1 de 3 parcelas não pode ser verificada.</p>');
    expect([...better.matchAll(/<tr data-n="(\d)" data-v="(\d)"/g)].map(([, n, v]) => [n, v])).toEqual([
      ["3", "1"],
      ["2", "4"],
      ["1", "5"],
    ]);
    expect(better).toContain("Não verificada");
    expect(renderPortfolio([compliant])).toContain('<p class="lead">The plot is compliant.</p>');
  });

  it("writes whole percents of few plots, and mutes what is none", () => {
    expect(withoutMap(page)).toMatch(
      /<span class="small">60 %<\/span>[\s\S]*<span class="small">20 %<\/span>/,
    );
    expect(page).toContain('<td class="n zero">0</td>');
    const { data } = subjects.record.response;
    const many = Array.from({ length: 1500 }, (_, id) => ({ id, verdict: data }));
    expect(renderPortfolio([...many, { id: "other" }])).toContain("99.93 %");
  });

  it("reports where each line's plot is on its map, whose corners have coordinates", () => {
    const places = [...page.matchAll(/ data-p="(\d+) (\d+) \d+ [012]"/g)].map(([, x, y]) => [
      Number(x),
      Number(y),
    ]);
    expect(places).toHaveLength(4);
    for (const [x, y] of places) {
      expect(x).toBeGreaterThan(0);
      expect(x).toBeLessThan(1072);
      expect(y).toBeGreaterThan(0);
      expect(y).toBeLessThan(500);
    }
    expect(page).toContain('<circle class="lit" hidden/>');
    expect(page.match(/<text [^>]*class="corner">/g)).toHaveLength(12);
    expect(page).toMatch(/class="graticule"/);
  });

  it("draws plots that lie far apart on maps of their own, each as large as there; too many groups on one", () => {
    const at = (id: number, x: number, y: number): PortfolioRow => ({
      id,
      geometry: {
        type: "Polygon",
        coordinates: [[[x, y], [x + 0.02, y], [x, y + 0.02], [x, y]]], // biome-ignore format: a ring
      },
    });
    const renderMaps = (rows: readonly PortfolioRow[]): string[] => {
      return renderPortfolio(rows).match(/<svg class="map"[\s\S]*?<\/svg>/g)!;
    };
    const far = renderPortfolio([at(1, -59, -10), at(2, 113, -1), at(3, 113.1, -1)]);
    expect([...far.matchAll(/aria-label="(Map of [^"]*)"/g)].map(([, title]) => title)).toEqual([
      "Map of 2 plots",
      "Map of 1 plot",
    ]);
    expect([...far.matchAll(/ data-p="[\d ]+ (\d)"/g)].map(([, map]) => map)).toEqual(["1", "0", "0"]);
    // A plot of two kilometres has an outline where no continent is between it and the edge of its map.
    expect(
      renderMaps([at(1, -59, -10), at(2, 113, -1)]).every((map) => map.includes('class="outlined"')),
    ).toBe(true);
    // A plot that cannot be checked has its outline as sent, and no ground.
    const sent = { ...at(1, -59, -10), error: { code: "GEOMETRY_INVALID", message: "crossed" } };
    expect(renderMaps([sent, at(2, -59.1, -10)])[0]).toMatch(
      /class="outlined sent"[\s\S]* class="outlined"|class="outlined"[\s\S]* class="outlined sent"/,
    );
    expect(renderPortfolio([sent])).toMatch(
      /The plot&#39;s shape is invalid <span class="mono">GEOMETRY_INVALID</,
    );
    expect(renderPortfolio([sent])).not.toContain("crossed");
    // Across the antimeridian they are neighbours.
    expect(renderMaps([at(1, 179.9, -17), at(2, -179.9, -17)])).toHaveLength(1);
    expect(renderMaps([-150, -100, -50, 0, 50].map((x, i) => at(i, x, 0)))).toHaveLength(1);
  });

  it("names plots that lie far from the others, and draws the others as large as without them", () => {
    const at = (id: string, x: number, y = 0): PortfolioRow => ({
      id,
      geometry: { type: "Point", coordinates: [x, y] },
    });
    const near = Array.from({ length: 40 }, (_, i) => at(`near ${i}`, i / 100));
    const corner = (page: string) => /<text [^>]*class="corner">[^<]*/.exec(page)![0];
    const found = renderPortfolio([...near, at("at the coast", 14), at("in the sea", -100)]);
    expect(found).toContain("2 plots far from the others are not drawn: ");
    expect(found).toMatch(/<bdi>at the coast<\/bdi>, <bdi>in the sea<\/bdi>/);
    expect(found.match(/<svg class="map"/g)).toHaveLength(1);
    expect(corner(found)).toBe(corner(renderPortfolio(near)));
    expect(renderPortfolio([...near, at("beside", 0.6)])).not.toContain("not drawn");
  });

  it("names the files beside it only where there are such", () => {
    expect(page).not.toContain("plots.csv");
    expect(renderPortfolio(ROWS, { files: ["plots.csv"] })).toContain(
      "The same data is in plots.csv, in the folder",
    );
  });

  it("draws every plot that has a place, and says how many have none", () => {
    const titles = [...page.matchAll(/aria-label="Map of (\d) plots?"/g)].map(([, count]) => count);
    expect(titles).toEqual(["2", "1", "1"]);
    expect(page).toContain("1 plot without a place is not on the map.");
    expect(renderPortfolio([{ id: 1 }])).not.toContain("<svg");
  });

  it("states which sources are made up, and how many verdicts rest on a coverage that nobody declared", () => {
    const text = renderPortfolio([...ROWS, { id: "doubtful", record: doubtful.record }]).replace(
      /<[^>]*>/g,
      "",
    );
    expect(text).toContain(
      "Fictional data: the content of hard:made_up is invented, and none of it is true of the plots.",
    );
    expect(text).toContain("The coverage of hard:made_up, which 1 verdict depends on, is not declared:");
    expect(page).not.toMatch(/Fictional data|Nobody declared/);
  });

  it("repeats the notes of sources, each once, as text, and counts those that it leaves out", () => {
    const sources = Array.from({ length: 12 }, (_, i) => {
      const source_name = `s:${String(i).padStart(2, "0")}`;
      return { source_name, ...(i < 11 && { scope: i === 0 ? HOSTILE : `part ${i}` }) };
    });
    const verdict = { ...subjects.record.response.data, sources };
    const text = renderPortfolio([1, 2].map((id) => ({ id, verdict })));
    expect(text.match(/<strong>s:00<\/strong> – <bdi>/g)).toHaveLength(1);
    expect(text).toContain("<strong>s:09</strong> – <bdi>part 9</bdi> and 1 more</p>");
    expect(text).not.toContain("part 10");
    expect(withoutScript(text)).not.toMatch(/<(?:script|img|iframe|base)\b/i);
    expect(renderPortfolio([{ id: 1, verdict: { ...verdict, sources: sources.slice(11) } }])).not.toContain(
      "Scope",
    );
  });

  it("is a page without plots too", () => {
    expect(renderPortfolio([], { title: "Empty" })).toContain("0 plots");
  });

  it.each(LANGUAGES)("is the same page for the same rows, in %s", (language) => {
    const written = renderPortfolio(ROWS, { language });
    expect(renderPortfolio(ROWS, { language })).toBe(written);
    expect(written).toContain(`<html lang="${language}">`);
    expect(written).toContain(SCRIPT);
  });

  it("holds ten thousand plots in less than ten megabytes", () => {
    const verdict = {
      ...crowded.record.response.data,
      checks: crowded.record.response.data.checks.map((check) => ({ ...check, evidence: [] })),
    };
    const many = Array.from({ length: 10_000 }, (_, i): PortfolioRow => {
      const [x, y] = [(i % 100) / 10, Math.floor(i / 100) / 10];
      const ring = Array.from({ length: 65 }, (_, k) => [
        x + 0.04 * Math.cos(k / 10.2),
        y + 0.04 * Math.sin(k / 10.2),
      ]);
      return {
        id: `plot-${i}`,
        name: `Fazenda ${i}`,
        geometry: { type: "Polygon", coordinates: [ring] },
        verdict,
        link: `reports/${i}.html`,
      };
    });
    const text = renderPortfolio(many);
    expect(text.length).toBeLessThan(10_000_000);
    expect(text.match(/<tr data-n/g)).toHaveLength(10_000);
  });
});

describe("renderRefusal", () => {
  const faults = [{ pointer: "/geometry/coordinates/0", code: "RING_SELF_CROSSING", message: HOSTILE }];
  const error = { code: "GEOMETRY_INVALID", message: HOSTILE, faults };

  it.each(LANGUAGES)(
    "shows hostile text as text, the defect's place, and no word of a pass in %s",
    (language) => {
      const { words } = getTongue(language);
      const refused = renderRefusal({ id: HOSTILE, name: HOSTILE, error }, { language });
      expect(refused).not.toMatch(/<(?:script|img|link|iframe|base)\b/i);
      expect(refused).not.toContain("\u202e");
      expect(refused).toContain("/geometry/coordinates/0");
      expect(refused).toContain(`${words.refused.replace("'", "&#39;")}.</strong>`);
      for (const word of [words.outcomes.COMPLIANT, words.outcomes.NON_COMPLIANT])
        expect(refused).not.toContain(`>${word}<`);
    },
  );

  it("is stated where plots of a portfolio lack their reports", () => {
    expect(renderPortfolio(ROWS, { unreported: 1 })).toContain("1 plot has no report");
    expect(page).not.toContain("no report");
  });
});
