import { rulesetJsonSchema } from "@groundrule/engine/rulesets";
import { describe, expect, it } from "vitest";
import { findCompletionProposals, type Schema } from "./completion.ts";
import { toRulesetPointer } from "./pointer-in-ruleset.ts";
import { findPointerRange, findSyntaxFault, parseSyntaxTree } from "./ruleset-text.ts";

const SCHEMA = rulesetJsonSchema() as Schema;
const SOURCES = [
  {
    source_name: "demo:parks",
    source_dataset: "Parks",
    kind: "leaf",
    feature_count: 2,
    columns: { founded: "date", "odd name": "string" },
  },
  { source_name: "all", source_dataset: "all", kind: "group", feature_count: 2 },
  { source_name: "demo:listed", source_dataset: "Listed", kind: "subject_register", feature_count: 2 },
] as const;

/** The proposals at the `|` in a text. */
function listProposals(marked: string): { labels: string[]; written: string | undefined } {
  const place = marked.indexOf("|");
  const text = marked.replace("|", "");
  const found = findCompletionProposals(text, place, SCHEMA, SOURCES);
  const first = found?.proposals[0];
  const written = found && first && text.slice(0, found.from) + first.insert + text.slice(found.to);
  return { labels: found?.proposals.map(({ label }) => label) ?? [], written };
}

describe("what is proposed at a place of a ruleset", () => {
  it("are the members that it does not have yet", () => {
    const { labels, written } = listProposals('{"sets": {}, |}');
    expect(labels).toEqual(["name", "description", "not_examined", "facts", "checks"]);
    expect(written).toBe('{"sets": {}, "name": }');
    expect(listProposals('{"checks": [{"id": "a", "ou|": 1}]}').labels).toContain("outcome");
    expect(listProposals('{"checks": [{"id": "a", "|').labels).toContain("outcome");
  });

  it("are the values of a choice", () => {
    expect(listProposals('{"checks": [{"outcome": "|"}]}').labels).toEqual([
      "NON_COMPLIANT",
      "WARNING",
      "NOTICE",
    ]);
    expect(listProposals('{"checks": [{"measure": "ov|"}]}').labels).toContain("overlap_ratio");
    expect(listProposals('{"checks": [{"op": |').written).toBe('{"checks": [{"op": ">"');
  });

  it("are sources of areas, registers, and the sets beside", () => {
    expect(listProposals('{"sets": {"a": {"sources": ["|"]}}}').labels).toEqual(["demo:parks", "all"]);
    expect(listProposals('{"sets": {"a": {"registers": ["|"]}}}').labels).toEqual(["all", "demo:listed"]);
    const sets = '"sets": {"a": {"sources": ["all"]}, "b": {"union": ["a", "|"]}}';
    expect(listProposals(`{${sets}}`).labels).toEqual(["a"]);
    expect(listProposals('{"sets": {"a": {"sources": ["all"]}}, "checks": [{"set": "|"}]}').labels).toEqual([
      "a",
    ]);
  });

  it("are columns of the set's sources, in filters with the words between them", () => {
    const at = (where: string): string[] =>
      listProposals(`{"sets": {"a": {"sources": ["demo:parks"], "where": "${where}"}}}`).labels;
    expect(at("fo|").slice(0, 2)).toEqual(["founded", "odd name"]);
    expect(at("founded > DATE('2020-01-01') A|")).toContain("AND");
    expect(at("name = 'fo|'")).toEqual([]);
    const show = listProposals('{"sets": {"a": {"sources": ["demo:parks"], "show": ["|"]}}}');
    expect(show.labels).toContain("odd name");
  });

  it("are the facts that the ruleset declares, and what may be named of a document", () => {
    const facts = '"facts": {"asv": {"type": "document"}, "size": {"type": "number"}}';
    const names = ["asv", "asv.area_m2", "asv.issued_on", "asv.valid_until", "size", "evaluated_on"];
    expect(listProposals(`{${facts}, "checks": [{"fact": "|"}]}`).labels).toEqual(names);
    expect(listProposals(`{${facts}, "checks": [{"set": "a", "value": {"fact": "|"}}]}`).labels).toEqual(
      names,
    );
    const filter = `{${facts}, "sets": {"a": {"sources": ["demo:parks"], "where": "founded > F|"}}}`;
    expect(listProposals(filter).labels).toContain("FACT('asv.issued_on')");
    expect(listProposals('{"facts": {"asv": {"type": "|"}}}').labels).toContain("document");
    expect(listProposals('{"facts": {"asv": {|}}}').labels).toContain("question");
  });

  it("is nothing, and no exception, in whatever is typed", () => {
    const text =
      '{"sets": {"a": {"sources": ["demo:parks"], "where": "a = \\"b\\""}}, "checks": [{"id": 1}]}';
    for (let cut = 0; cut <= text.length; cut++) {
      for (let place = 0; place <= cut; place += 3) {
        expect(() => findCompletionProposals(text.slice(0, cut), place, SCHEMA, SOURCES)).not.toThrow();
      }
    }
  });
});

describe("where a finding stands", () => {
  const text = '{"sets": {"a": {"where": "é\\" = 1 AND zzz = 2"}}, "checks": [{"id": "x"}, {"id": "y"}]}';
  const at = (pointer: string, message = ""): string => {
    const { from, to } = findPointerRange(text, parseSyntaxTree(text), pointer, message);
    return text.slice(from, to);
  };

  it("is the value that its pointer leads to, or the nearest around it", () => {
    expect(at("/checks/1/id")).toBe('"y"');
    expect(at("/checks/1/missing")).toBe('{"id": "y"}');
    expect(at("")).toBe(text);
    // The pointer as a service returns it, into a request.
    expect(at(toRulesetPointer("/ruleset/checks/1/id"))).toBe('"y"');
    expect(["/ruleset", "/rulesets/a", "/sets/a"].map(toRulesetPointer)).toEqual([
      "",
      "/rulesets/a",
      "/sets/a",
    ]);
  });

  it("is the word of a filter that it names", () => {
    expect(at("/sets/a/where", 'at character 12 ("zzz"): found "zzz"')).toBe("zzz");
  });

  it("of a text that is no JSON is where it stops to be", () => {
    expect(findSyntaxFault('{"a": 1}')).toBeUndefined();
    expect(findSyntaxFault('{"a": 1,, "b": 2}')).toMatchObject({ from: 8 });
    expect(findSyntaxFault("")).toMatchObject({ from: 0, to: 0 });
  });
});
