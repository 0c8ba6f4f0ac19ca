import { openEngine } from "@groundrule/engine";
import { verdictRecord } from "@groundrule/engine/records";
import { parseRuleset } from "@groundrule/engine/rulesets";
import { describe, expect, it } from "vitest";
import { presets } from "../../../data/rulesets/index.ts";
import { gatherMaterial } from "./gather-material.ts";
import { renderReport } from "./render-report.ts";

const engine = openEngine([]);
const NOW = "2027-02-01T00:00:00Z";
const geometry = { type: "Point", coordinates: [-60, -10] };

/** The report of a preset without any of its sources: every check is open, and has all of its texts. */
function renderPreset(name: string, preset: object, language: "en" | "pt" | "es"): string {
  const ruleset = { name, ...preset };
  const without = Object.values(parseRuleset(ruleset).sets).flatMap((set) =>
    "sources" in set ? set.sources : "registers" in set ? set.registers : [],
  );
  const policy = engine.compile(ruleset, undefined, { without: [...new Set(without)] });
  const scheme = [
    { type: "br:cnpj", value: "33000167000101", role: "owner" },
    { type: "br:car", value: "MT-5100250-0123456789ABCDEF0123456789ABCDEF", role: "property" },
  ];
  const input = { geometry, area_ha: 4, scheme, property: { type: "Polygon", coordinates: [SQUARE] } };
  const facts = name === "preset.eudr" ? { facts: { commodity: "wood", point_area_ha: 4 } } : {};
  const evaluated = { ...input, ...facts };
  const verdict = policy.evaluate(evaluated as object, { now: NOW });
  const request = { id: 1, input: evaluated, ruleset, policy, groups: {}, engineVersion: "0.0.0" };
  const record = verdictRecord(request, verdict);
  return renderReport(record, gatherMaterial(record), { language });
}

const SQUARE = [
  [-60.01, -10.01],
  [-59.99, -10.01],
  [-59.99, -9.99],
  [-60.01, -9.99],
  [-60.01, -10.01],
];

/** Texts of a page, those excepted that are for programs: digests, ids, commands, and the ruleset as it was sent. */
function listTexts(page: string): readonly string[] {
  return page
    .replace(/<(style|pre|code)\b[^>]*>[\s\S]*?<\/\1>/g, "")
    .replace(/<(\w+)[^>]*class="[^"]*\b(?:mono|digest)\b[^"]*"[^>]*>(?:<bdi>[^<]*<\/bdi>|[^<]*)<\/\1>/g, "")
    .split(/<[^>]*>/)
    .map((text) => text.trim())
    .filter((text) => /\p{L}{3}/u.test(text));
}

/** Names, which are the same in every language: of sources, schemes, laws and of what was sent. */
const NAME =
  /^(?:groundrule.*|preset[:.].*|(?:br|us):.*|[\w:]+@?\d*|(?:Art\. |MCR )[\d().\w, -]*|OGC:CRS84|Apache.*)$/;

describe.each([...presets()])("the report of %s", (name, preset) => {
  const english = new Set(listTexts(renderPreset(name, preset, "en")));

  it.each(["pt", "es"] as const)(
    "has no text in %s that it has in English too, but for names",
    (language) => {
      const texts = listTexts(renderPreset(name, preset, language));
      expect(texts.length).toBeGreaterThan(50);
      expect(texts.filter((text) => english.has(text) && !NAME.test(text))).toEqual([]);
      // Words that English alone has, also within longer texts.
      const ours = texts.map((text) =>
        text.replace(/`[^`]*`|preset[:.]\w+|\b(?:low|standard) o\w* high\b/g, ""),
      );
      expect(ours.filter((text) => /\b(?:the|of|and|with|which|was|were|not|from)\b/i.test(text))).toEqual(
        [],
      );
    },
  );
});
