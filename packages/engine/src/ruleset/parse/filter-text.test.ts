import { readFileSync } from "node:fs";
import { createSeededRandom, type Random } from "@groundrule/testing/random";
import { describe, expect, it, vi } from "vitest";
import { readPageExamples } from "../../../test/page-examples.ts";
import { readCaseFiles } from "../../../test/ruleset-cases.ts";
import { EngineError } from "../../base/errors.ts";
import { getFilterTree, parseFilter } from "./cql2.ts";
import { RulesetFaults } from "./faults.ts";
import { formatFilter } from "./filter-text.ts";
import { FilterTexts } from "./filter-texts.ts";
import { readFilterText, type Span } from "./read-filter-text.ts";
import type { FilterArgument, FilterExpression } from "./schema.ts";

interface OgcExamples {
  readonly same: readonly { readonly file: string; readonly text: string; readonly json: FilterExpression }[];
  readonly refused: readonly { readonly file: string; readonly text: string; readonly says: string }[];
}

const ogc = JSON.parse(
  readFileSync(new URL("../../../test/cql2/ogc-examples.json", import.meta.url), "utf8"),
) as OgcExamples;

/** The messages of a text's faults; none of one that is a filter. */
function findFaults(text: string): readonly string[] {
  const faults = new RulesetFaults();
  parseFilter(text, "/sets/s/where", faults);
  try {
    faults.throwIfAny();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const found = error.details.faults ?? [];
    expect(new Set(found.map(({ pointer }) => pointer))).toEqual(new Set(["/sets/s/where"]));
    return found.map(({ message }) => message);
  }
  return [];
}

const property = (name: string) => ({ property: name });
const is = (name: string): FilterExpression => ({ op: "=", args: [property(name), 1] });
const A = is("a");
const B = is("b");
const C = is("c");

describe("CQL2-Text", () => {
  it.each(ogc.same)("gives the tree of the standard's example $file", ({ text, json }) => {
    expect(findFaults(text)).toEqual([]);
    expect(getFilterTree(text)).toEqual(json);
    expect(getFilterTree(formatFilter(json))).toEqual(json);
  });

  it.each(ogc.refused)(
    "refuses the standard's example $file, which it has not, in words",
    ({ text, says }) => {
      const faults = findFaults(text);
      expect(faults).toEqual([expect.stringContaining(says)]);
      expect(faults[0]).toMatch(/^at character \d+: found "[^"]+[("]/);
    },
  );

  it.each<[string, FilterExpression]>([
    ["a = 1 AND b = 1 AND c = 1", { op: "and", args: [A, B, C] }],
    ["(a = 1 AND b = 1) AND c = 1", { op: "and", args: [{ op: "and", args: [A, B] }, C] }],
    ["a = 1 AND (b = 1 AND c = 1)", { op: "and", args: [A, { op: "and", args: [B, C] }] }],
    ["((a = 1) AND ((b = 1)))", { op: "and", args: [A, B] }],
    ["a = 1 OR b = 1 AND c = 1", { op: "or", args: [A, { op: "and", args: [B, C] }] }],
    ["(a = 1 OR b = 1) AND c = 1", { op: "and", args: [{ op: "or", args: [A, B] }, C] }],
    ["NOT a = 1 AND b = 1", { op: "and", args: [{ op: "not", args: [A] }, B] }],
    ["NOT (a = 1 AND b = 1)", { op: "not", args: [{ op: "and", args: [A, B] }] }],
    ["NOT NOT a = 1", { op: "not", args: [{ op: "not", args: [A] }] }],
    [
      "NOT a IS NOT NULL",
      { op: "not", args: [{ op: "not", args: [{ op: "isNull", args: [property("a")] }] }] },
    ],
    ["a BETWEEN 1 AND 2 AND b = 1", { op: "and", args: [{ op: "between", args: [property("a"), 1, 2] }, B] }],
    ["(a) = ((1))", A],
    ["a=1and b=1", { op: "and", args: [A, B] }],
    ["\ta\n=\u00a01\u2003", A],
    ["a < -1.5e3", { op: "<", args: [property("a"), -1500] }],
    ["a < +.5", { op: "<", args: [property("a"), 0.5] }],
    ["a<-1.", { op: "<", args: [property("a"), -1] }],
    ["d = Date('2020-02-29')", { op: "=", args: [property("d"), { date: "2020-02-29" }] }],
    ["date > DATE('2020-02-29')", { op: ">", args: [property("date"), { date: "2020-02-29" }] }],
    [`"or" = 'it''s "so"'`, { op: "=", args: [property("or"), 'it\'s "so"'] }],
    [`"a ""b"" c" = ''`, { op: "=", args: [property('a "b" c'), ""] }],
    [String.raw`a = 'C:\' AND b = 1`, { op: "and", args: [{ op: "=", args: [property("a"), "C:\\"] }, B] }],
    ["município = 1", is("município")],
    ["área.2:x = 1", is("área.2:x")],
    ["1 = a", { op: "=", args: [1, property("a")] }],
  ])("reads %s", (text, tree) => {
    expect(getFilterTree(text)).toEqual(tree);
  });

  it.each([
    ["", "at the end: found nothing, expected a column or a value"],
    ["a = 1 AND", "at the end: found nothing, expected a column or a value"],
    ["a = 1 ANDD b = 1", 'at character 7: found "ANDD", expected AND, OR or the end'],
    ["a != 1", 'at character 3: found "!=", expected one of = <> < <= > >= BETWEEN IN LIKE IS; write "<>"'],
    ["a = 1 && b = 1", 'at character 7: found "&&", expected AND, OR or the end; write AND'],
    ["a ILIKE 'x'", "write CASEI(…) LIKE CASEI('…')"],
    ["a = ‘x’", "write straight quotes"],
    ["a = NULL", "write IS NULL"],
    ["a IS 5", "expected NULL or NOT NULL"],
    [
      "a > 2020-01-01",
      "at character 5: found 2020-01-01, expected a value; write a day as DATE('2020-01-01')",
    ],
    ["a + 1 > 2", 'at character 3: found "+", expected no arithmetic'],
    ["a = - 1", 'at character 5: found "-", expected no arithmetic'],
    [
      "flag",
      'at character 1: found "flag" alone, expected a condition; to test a column of booleans, write flag = TRUE',
    ],
    ["NOT flag", 'at character 5: found "flag" alone'],
    ["TRUE", 'at character 1: found "TRUE" alone'],
    ["flag = 1 = 2", 'at character 10: found "=", expected AND, OR or the end'],
    ["(a = 1) = b", 'at character 2: found the condition "a = 1", expected a column or a value'],
    ["a = (b = 1)", 'at character 6: found the condition "b = 1"'],
    ["(a = 1", 'at the end: found nothing, expected AND, OR or ")"'],
    ["a = 1)", 'at character 6: found ")"'],
    [
      "order = 1 AND or = 1",
      'at character 15: found "or", expected a column or a value; to name a column, write it in double quotes: "or"',
    ],
    ["a IN ()", 'at character 7: found ")", expected a column or a value'],
    ["a IN (1 2)", 'at character 9: found "2", expected a comma or ")"'],
    ["a IN 1", 'at character 6: found "1", expected "("'],
    ["a IN (1, b)", 'at character 10 ("b"): found a property, expected a literal'],
    ["a LIKE b", 'at character 8 ("b"): found a property, expected a pattern'],
    ["5 IS NULL", 'at character 1: found "5", expected a property before IS'],
    ["a BETWEEN 1, 2", 'at character 12: found ",", expected AND and the upper bound'],
    ["a NOT = 5", 'at character 7: found "=", expected BETWEEN, IN or LIKE after NOT'],
    [
      String.raw`a = 'it\'s'`,
      "at character 10: found \"s\", expected AND, OR or the end; write a ' within a text as ''",
    ],
    ["a = 'abc", "at character 5: found a text without its closing ', expected it; write a ' within as ''"],
    ['"abc = 1', 'at character 1: found a name without its closing "'],
    ['"" = 1', 'at character 1: found "", expected the name of a column'],
    ["d = DATE(2020)", "at character 10: found \"2020\", expected a day 'YYYY-MM-DD'"],
    [
      "d = DATE('2020-02-30')",
      `at character 5 ("DATE('2020-02-30')"): found "2020-02-30", expected a calendar day`,
    ],
    ["d = TIMESTAMP('2020-02-28T00:00:00Z')", "columns contain days, not times; write DATE('YYYY-MM-DD')"],
    ["CASE(a) = 'x'", 'did you mean "CASEI"?'],
    ["a = 1e999", 'found "1e999", expected a number within the range of a double'],
    // Only ASCII letters make keywords, though the upper case of these would.
    ["a ıN (1)", 'at character 3: found "ıN"'],
    ["a = 1 AND \u{1f600}b", 'at character 11: found "\u{1f600}b" alone, expected a condition'],
    ["\u{1f600} = 1 AND \u{1f600} = b c", 'at character 17: found "c"'],
    ["\ud800", String.raw`found "\ud800"`],
  ])("reports what is wrong with %j and where", (text, message) => {
    expect(findFaults(text)).toEqual([expect.stringContaining(message)]);
  });

  it("gives no place in the text to a fault outside of it", () => {
    const texts = new FilterTexts();
    texts.read("a = 1", "/sets/s/where");
    for (const pointer of ["/sets/s/wheres", "/sets/s", "/sets/s_1/where"]) {
      expect(texts.locate(pointer, "found", "X")).toEqual({ pointer, message: "found" });
    }
  });

  it("reports every fault of a text whose grammar is right", () => {
    expect(findFaults("a IN (1, b) AND x LIKE 5 OR d = DATE('soon')")).toEqual([
      expect.stringMatching(/^at character 10 \("b"\)/),
      expect.stringMatching(/^at character 24 \("5"\)/),
      expect.stringMatching(/^at character 33 \("DATE\('soon'\)"\)/),
    ]);
  });
});

describe("the limits of CQL2-Text", () => {
  const chain = (count: number) => Array.from({ length: count }, () => "a = 1").join(" AND ");

  it.each([
    ["16 levels", `${"NOT ".repeat(15)}a = 1`, undefined],
    ["17 levels", `${"NOT ".repeat(16)}a = 1`, "deeper than 16 levels"],
    ["32 parentheses", `${"(".repeat(32)}a = 1${")".repeat(32)}`, undefined],
    ["33 parentheses", `${"(".repeat(33)}a = 1${")".repeat(33)}`, "more than 32 parentheses and NOTs"],
    ["256 nodes", `a IN (${Array.from({ length: 254 }, (_, i) => i).join(",")})`, undefined],
    ["257 nodes", `a IN (${Array.from({ length: 255 }, (_, i) => i).join(",")})`, "more than 256"],
    ["a chain of 85 conditions", chain(85), undefined],
    ["a chain of 86 conditions", chain(86), "more than 256"],
    ["a pattern of 257 characters", `a LIKE '${"x".repeat(257)}'`, "257 characters"],
  ])("hold for %s", (_, text, message) => {
    expect(findFaults(text)).toEqual(message === undefined ? [] : [expect.stringContaining(message)]);
  });

  it("let every filter of 16 levels and 256 nodes through that its JSON lets through", () => {
    let deepest: FilterExpression = A;
    for (let i = 1; i < 16; i++) deepest = { op: "not", args: [deepest] };
    expect(findFaults(formatFilter(deepest))).toEqual([]);
    let folded: FilterArgument = "x";
    for (let i = 1; i < 16; i++) folded = { op: "casei", args: [folded] };
    expect(findFaults(formatFilter({ op: "=", args: [property("a"), folded] }))).toEqual([]);
  });

  // Each pass over a token is one match or four; so the matches tell the work, on any machine.
  it.each([
    ["open parentheses", (length: number) => "(".repeat(length)],
    ["NOTs", (length: number) => "NOT ".repeat(length / 4)],
    ["calls", (length: number) => "CASEI(".repeat(length / 6)],
    ["conditions", (length: number) => "a=1 OR ".repeat(length / 7)],
    ["list items", (length: number) => `a IN (${"1,".repeat(length / 2)}`],
    ["quotes", (length: number) => "'".repeat(length)],
    ["a text that does not end", (length: number) => `a = '${"x''".repeat(length / 3)}`],
    ["digits", (length: number) => `a = ${"9".repeat(length)}`],
    ["points", (length: number) => `a = ${"1.".repeat(length / 2)}`],
    ["a long name", (length: number) => `${"é".repeat(length)} =`],
    ["symbols", (length: number) => "<>".repeat(length / 2)],
    ["white space", (length: number) => " ".repeat(length)],
    ["garbage", (length: number) => "€𝄞\u0000".repeat(length / 4)],
  ])("bound the work on a text of nothing but %s by its length", (_, make) => {
    const matchesOn = (length: number): number => {
      const exec = vi.spyOn(RegExp.prototype, "exec");
      const indexOf = vi.spyOn(String.prototype, "indexOf");
      readFilterText(make(length));
      const count = exec.mock.calls.length + indexOf.mock.calls.length;
      vi.restoreAllMocks();
      return count;
    };
    const [short, long] = [matchesOn(6_000), matchesOn(24_000)];
    expect(long).toBeLessThanOrEqual(Math.max(4.1 * short, 400));
    expect(long).toBeLessThanOrEqual(5 * 24_000);
    const faults = findFaults(make(262_144));
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.length).toBeLessThanOrEqual(100);
    for (const fault of faults) expect(fault.length).toBeLessThan(400);
  });
});

describe("textOfFilter", () => {
  const random = createSeededRandom(21_065);

  it("is read as the filter it was written from, and written the same again (seed 21065)", () => {
    for (let i = 0; i < 1_500; i++) {
      const tree = randomFilter(random, 4);
      const text = formatFilter(tree);
      expect(getFilterTree(text)).toEqual(tree);
      expect(formatFilter(getFilterTree(text))).toBe(text);
    }
  });

  it("means what other spellings of the filter mean (seed 21065)", () => {
    for (let i = 0; i < 1_500; i++) {
      const tree = randomFilter(random, 3);
      const text = formatLooseText(tree, random);
      expect(readFilterText(text), text).toMatchObject({ tree });
    }
  });

  it("is read with the place of each part, which reads as that part alone (seed 21065)", () => {
    for (let i = 0; i < 300; i++) {
      const text = formatLooseText(randomFilter(random, 3), random);
      const read = readFilterText(text);
      if ("fault" in read) throw new Error(`${text}: ${read.fault.message}`);
      expectPlaces(text, read.tree as FilterExpression, read.span);
    }
  });

  it("reads every filter of docs and case tables as its JSON", () => {
    const rulesets: unknown[] = [
      ...readPageExamples().values(),
      ...readCaseFiles().flatMap(({ cases }) => cases.map(({ ruleset }) => ruleset)),
    ];
    const filters = rulesets.flatMap((ruleset) => collectFilters(ruleset));
    const accepted = filters.filter((filter) => parseFilter(filter, "", new RulesetFaults()) !== undefined);
    expect(accepted.length).toBeGreaterThan(40);
    for (const filter of accepted) {
      const tree = getFilterTree(filter as FilterExpression | string);
      expect(getFilterTree(formatFilter(tree))).toEqual(tree);
    }
  });

  it.each([
    "embargoed_on <= DATE('2026-06-30') AND (lifted_on IS NULL OR lifted_on > DATE('2026-06-30'))",
    "a = 1 AND b = 1 OR NOT (c = 1 OR d IS NOT NULL)",
    "NOT a = 1 AND b NOT IN ('x', 'y') AND c NOT BETWEEN 1 AND 2 AND CASEI(d) NOT LIKE CASEI('x%')",
    `"date" > DATE('2020-01-01') AND "Tax ID No." = 'it''s' AND x = TRUE AND y < -1.5E-7 AND z = 1E+21`,
    "NOT (NOT a = 1)",
  ])("writes %s as it stands", (text) => {
    expect(formatFilter(getFilterTree(text))).toBe(text);
  });
});

/** The text at the place of an argument must parse to the argument. */
function expectPlaces(text: string, argument: FilterArgument, span: Span): void {
  const part = text.slice(span.start, span.end);
  const parts = span.parts ?? [];
  if (Array.isArray(argument)) {
    expect(getFilterTree(`x IN ${part}`).args[1]).toEqual(argument);
    for (const [i, item] of argument.entries()) expectPlaces(text, item, parts[i]!);
    return;
  }
  const isExpression = typeof argument === "object" && "op" in argument;
  const isCondition = isExpression && argument.op !== "casei";
  expect(isCondition ? getFilterTree(part) : getFilterTree(`x = ${part}`).args[1]).toEqual(argument);
  if (!isExpression) return;
  const [within] = argument.args;
  // An argument in the middle of a predicate has the span of the whole predicate.
  if (argument.op === "not" && parts[0]!.start === span.start) {
    expect(parts[0]!.end).toBe(span.end);
    (within as FilterExpression).args.forEach((arg, i) => {
      expectPlaces(text, arg, parts[0]!.parts![i]!);
    });
    return;
  }
  argument.args.forEach((arg, i) => {
    expectPlaces(text, arg, parts[i]!);
  });
}

/** Every value of a member called `where`. */
function collectFilters(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === "where" ? [member] : collectFilters(member),
  );
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[random.integer(list.length)]!;
}

const NAMES = [
  "a",
  "lifted_on",
  "eo:x.y",
  "município",
  "or",
  "Date",
  "Tax ID No.",
  'q"q',
  "'",
  " ",
  "1a",
  "ſ",
  "ıs",
  "\u2028",
  "😀",
  "a-b",
  "NULL",
  "casei",
];
const TEXTS = [
  "",
  "'",
  "''",
  "it's",
  '"',
  "\\",
  "a\\'",
  "%_\\%",
  " AND ",
  "\n",
  "😀",
  "DATE('2020-01-01')",
  "x".repeat(40),
];
const NUMBERS = [0, -0, 1, -1, 0.1, 1e21, -1e-7, 5e-324, Number.MAX_VALUE, 123456789.125, 2 ** 53 + 2];
const DAYS = ["2020-02-29", "0001-01-01", "9999-12-31"];

function randomFilter(random: Random, depth: number): FilterExpression {
  if (depth > 0 && random.next() < 0.6) {
    const op = pick(random, ["and", "or", "not"]);
    const count = op === "not" ? 1 : 2 + random.integer(3);
    return { op, args: Array.from({ length: count }, () => randomFilter(random, depth - 1)) };
  }
  const value = (): FilterArgument => {
    if (random.next() < 0.15) return { op: "casei", args: [value()] };
    return random.next() < 0.5 ? property(pick(random, NAMES)) : (literal() as FilterArgument);
  };
  const literal = (): string | number | boolean | { date: string } =>
    pick(random, [
      pick(random, TEXTS),
      pick(random, NUMBERS),
      random.next() < 0.5,
      { date: pick(random, DAYS) },
    ]);
  const folded = <T>(of: T): T | FilterExpression =>
    random.next() < 0.2 ? { op: "casei", args: [of as FilterArgument] } : of;
  switch (random.integer(5)) {
    case 0:
      return { op: "isNull", args: [property(pick(random, NAMES))] };
    case 1:
      return { op: "between", args: [value(), value(), value()] };
    case 2:
      return {
        op: "in",
        args: [value(), Array.from({ length: 1 + random.integer(4) }, () => folded(literal()))],
      };
    case 3:
      return { op: "like", args: [value(), folded(pick(random, TEXTS))] };
    default:
      return { op: pick(random, ["=", "<>", "<", "<=", ">", ">="]), args: [value(), value()] };
  }
}

/** A filter as somebody may write it: any case, any white space, parentheses that nothing needs. */
function formatLooseText(filter: FilterArgument, random: Random): string {
  const gap = () => pick(random, [" ", "  ", "\n\t", "\u00a0"]);
  const word = (keyword: string) =>
    gap() + Array.from(keyword, (c) => (random.next() < 0.5 ? c.toLowerCase() : c)).join("") + gap();
  const some = (text: string) => (random.next() < 0.2 ? `(${gap()}${text}${gap()})` : text);
  const quoted = (text: string, quote: string) => quote + text.split(quote).join(quote + quote) + quote;
  if (typeof filter === "string") return some(quoted(filter, "'"));
  if (typeof filter === "boolean") return some(word(filter ? "TRUE" : "FALSE"));
  if (typeof filter === "number") {
    const digits = Object.is(filter, -0) ? "-0" : String(filter);
    return some(digits.startsWith("-") ? digits : pick(random, ["", "+"]) + digits);
  }
  if ("property" in filter) {
    const isPlain = /^[a-z_]+$/i.test(filter.property) && !/^(or|null)$/i.test(filter.property);
    return some(isPlain && random.next() < 0.5 ? filter.property : quoted(filter.property, '"'));
  }
  if ("date" in filter) return some(`${word("DATE")}(${gap()}'${filter.date}' )`);
  const { op, args } = filter as FilterExpression;
  const part = (i: number) => formatLooseText(args[i]!, random);
  switch (op) {
    case "and":
    case "or":
      return some(
        args.map((arg) => formatBracketed(arg as FilterExpression, random)).join(word(op.toUpperCase())),
      );
    case "not": {
      const within = args[0] as FilterExpression;
      if (random.next() < 0.5 && ["isNull", "between", "in", "like"].includes(within.op)) {
        return some(formatPredicate(within, word("NOT"), random));
      }
      return some(word("NOT") + formatBracketed(within, random));
    }
    case "casei":
      return some(`${word("CASEI")}(${part(0)})`);
    default:
      return some(formatPredicate(filter as FilterExpression, "", random));
  }
}

/** @param not stands in the midst, where it is not empty */
function formatPredicate({ op, args }: FilterExpression, not: string, random: Random): string {
  const word = (keyword: string) => ` ${random.next() < 0.5 ? keyword : keyword.toLowerCase()} `;
  const part = (i: number) => formatLooseText(args[i]!, random);
  switch (op) {
    case "isNull":
      return `${part(0)}${word("IS")}${not}${word("NULL")}`;
    case "between":
      return `${part(0)}${not}${word("BETWEEN")}${part(1)}${word("AND")}${part(2)}`;
    case "in": {
      const items = (args[1] as readonly FilterArgument[]).map((item) => formatLooseText(item, random));
      return `${part(0)}${not}${word("IN")}(${items.join(pick(random, [",", " , "]))})`;
    }
    case "like":
      return `${part(0)}${not}${word("LIKE")}${part(1)}`;
    default:
      return `${part(0)} ${op}${pick(random, ["", " "])}${part(1)}`;
  }
}

/** An operand in parentheses where it is a chain or a `NOT`, for a chain is one node only without them. */
function formatBracketed(operand: FilterExpression, random: Random): string {
  const text = formatLooseText(operand, random);
  return ["and", "or", "not"].includes(operand.op) ? `(${text})` : text;
}
