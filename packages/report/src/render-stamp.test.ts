import { getTongue, LANGUAGES } from "@groundrule/words/languages";
import { SaxesParser } from "saxes";
import { describe, expect, it } from "vitest";
import { HOSTILE, hardRecords } from "../test/hard-records.ts";
import { gatherMaterial } from "./gather-material.ts";
import { renderStamp } from "./render-stamp.ts";

const records = hardRecords();

/** The texts of an SVG file, each element's own. */
function listTexts(svg: string): string[] {
  const texts: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on("text", (text) => {
    if (text.trim() !== "") texts.push(text);
  });
  parser.on("error", (error) => {
    throw error;
  });
  parser.write(svg).close();
  return texts;
}

describe.each(Object.entries(records))("the stamp of the %s record", (_, { record }) => {
  it.each(LANGUAGES)(
    "is well-formed SVG with the verdict's word, and loads and runs nothing, in %s",
    (language) => {
      const svg = renderStamp(record, gatherMaterial(record), { language });
      const { verdict, digest } = record.response.data;
      const { words } = getTongue(language);
      const word = words.outcomes[verdict];
      const texts = listTexts(svg);
      expect(texts.some((text) => text.endsWith(` ${word}`))).toBe(true);
      expect(texts.join("")).toContain(digest!.slice(0, 8));
      expect(svg).not.toContain(digest!.slice(0, 9));
      expect(texts).toContain(words.verifyWith);
      expect(svg.match(/<[^>]*>/g)!.join("")).not.toMatch(
        /<(?:script|image|a|use|style|foreignObject)\b|href|url\(|var\(|\son\w+=/,
      );
      expect(svg).toContain('width="600" height="315"');
    },
  );
});

describe("renderStamp", () => {
  it("draws the plot within its square, and has no outline without one", () => {
    const { record } = records.antimeridian;
    const [, path = ""] = /<path transform="translate\(396 62\)" d="([^"]+)"/.exec(
      renderStamp(record, gatherMaterial(record)),
    )!;
    const numbers = path.match(/-?\d+\.\d/g)!.map(Number);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThanOrEqual(172);
    expect(Math.max(...numbers)).toBeGreaterThan(170);
    const { record: listed } = records.subjects;
    expect(renderStamp(listed, gatherMaterial(listed))).not.toContain("<path");
  });

  it("states that data is fictional, and cuts names that would reach the outline", () => {
    const { record } = records.doubtful;
    expect(renderStamp(record, {})).toContain(">Fictional data<");
    expect(renderStamp(records.crowded.record, {})).not.toContain("Fictional");
    const named = { ...record, id: "Fazenda com um nome muito comprido mesmo" };
    expect(listTexts(renderStamp(named, {}))).toContain("Fazenda com um nome muito…");
    expect(listTexts(renderStamp({ ...record, id: HOSTILE }, {})).join("")).toContain("</title>");
  });
});
