import { createSeededRandom } from "@groundrule/testing/random";
import { catchRefusal } from "@groundrule/testing/refusal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildSourceTable, type CaseFile } from "../../test/ruleset-cases.ts";
import { canonicalizeValue, IGNORABLE_RANGES } from "../snapshot/canonical-value.ts";
import { findSubjects } from "./look-up.ts";
import { findSchemeFault } from "./scheme-fault.ts";

const cnpj = (value: string) => ({ type: "br:cnpj", value });
const data: Pick<CaseFile, "sources" | "groups"> = {
  sources: {
    "demo:sanctions": {
      collected_at: "2026-01-15T08:00:00Z",
      schemes: ["br:cnpj", "demo:code"],
      records: [
        { id: "s2", identifiers: [{ scheme: "br:cnpj", value: "11.222.333/0001-81" }] },
        {
          id: "s1",
          identifiers: [
            { scheme: "br:cnpj", value: "11222333000181" },
            { scheme: "demo:code", value: "AB-12/x" },
          ],
        },
      ],
    },
    "demo:labour": {
      schemes: ["br:cnpj"],
      records: [{ id: "l1", identifiers: [{ scheme: "br:cnpj", value: "11 222 333 0001 81" }] }],
    },
    "demo:many": {
      schemes: ["demo:serial"],
      records: Array.from({ length: 130 }, (_, i) => ({
        id: `r${String(i).padStart(3, "0")}`,
        identifiers: [{ scheme: "demo:serial", value: `S-${i % 2}` }],
      })),
    },
    "demo:parks": { areas: [] },
  },
  groups: { lists: ["demo:sanctions", "demo:labour"], lands: ["demo:parks"] },
};
const table = buildSourceTable(data);

describe("findSubjects", () => {
  it("finds a value whatever its punctuation, in every register, by source and id, in its own spelling", () => {
    const { matches, sources, warnings, truncated } = findSubjects(table, cnpj("11222333-0001/81"), {
      now: "2026-02-15T08:00:00Z",
    });
    expect(matches.map(({ source_name, source_id, value }) => [source_name, source_id, value])).toEqual([
      ["demo:labour", "l1", "11 222 333 0001 81"],
      ["demo:sanctions", "s1", "11222333000181"],
      ["demo:sanctions", "s2", "11.222.333/0001-81"],
    ]);
    expect(matches.map(({ indexed_at }) => indexed_at)).toEqual([
      undefined,
      "2026-01-15T08:00:00Z",
      "2026-01-15T08:00:00Z",
    ]);
    expect(sources.map(({ source_name, matched, age_days }) => [source_name, matched, age_days])).toEqual([
      ["demo:labour", 1, undefined],
      ["demo:many", 0, undefined],
      ["demo:sanctions", 2, 31],
    ]);
    expect([warnings, truncated]).toEqual([[], undefined]);
  });

  it("warns of check digits that are wrong, and looks the value up all the same", () => {
    const { matches, warnings } = findSubjects(table, cnpj("11.222.333/0001-82"));
    expect(matches).toEqual([]);
    expect(warnings).toEqual([
      expect.objectContaining({ pointer: "/scheme/value", code: "CHECK_DIGITS_WRONG" }),
    ]);
  });

  it("queries only the pinned register, or the members of a pinned group", () => {
    expect(findSubjects(table, cnpj("11222333000181"), { source: "demo:labour" }).sources.length).toBe(1);
    expect(findSubjects(table, cnpj("11222333000181"), { source: "lists" }).matches.length).toBe(3);
  });

  it.each([
    ["%222%", 3],
    ["11.222%", 3],
    ["%0001-81", 3],
    ["11%33%81", 3],
    ["11222333000181", 3],
    ["11222333%%000181", 3],
    ["11222333000181%81", 0],
    ["%33%22%", 0],
  ])("ilike %j matches %i identifiers", (value, count) => {
    expect(findSubjects(table, cnpj(value), { matchOp: "ilike" }).matches.length).toBe(count);
  });

  it("ilike agrees with a regular expression over canonical values", () => {
    const piece = fc.array(fc.constantFrom("0", "1", "A", "B", "%", "-"), { minLength: 1, maxLength: 6 });
    const text = piece.map((found) => found.join(""));
    fc.assert(
      fc.property(text, fc.uniqueArray(text, { minLength: 1, maxLength: 6 }), (pattern, values) => {
        fc.pre(/[01AB]/.test(pattern) && values.every((value) => canonicalizeValue(value) !== ""));
        const plain = values.map((value) => value.replaceAll("%", "1"));
        const register = buildSourceTable({
          sources: {
            "demo:x": {
              schemes: ["demo:code"],
              records: plain.map((value, i) => ({
                id: `${i}`,
                identifiers: [{ scheme: "demo:code", value }],
              })),
            },
          },
        });
        fc.pre(plain.every((value) => canonicalizeValue(value) !== ""));
        const expression = new RegExp(`^${pattern.replaceAll("-", "").replaceAll("%", ".*")}$`);
        const expected = plain.flatMap((value, i) =>
          expression.test(canonicalizeValue(value)) ? `${i}` : [],
        );
        const { matches } = findSubjects(
          register,
          { type: "demo:code", value: pattern },
          { matchOp: "ilike" },
        );
        expect(matches.map(({ source_id }) => source_id)).toEqual(expected);
      }),
      { seed: 20269, numRuns: 150 },
    );
  });

  it("refuses a pattern with no character left", () => {
    const error = catchRefusal(() => findSubjects(table, cnpj("%-%"), { matchOp: "ilike" }));
    expect(error.code).toBe("VALIDATION_FAILED");
    expect(catchRefusal(() => findSubjects(table, cnpj("- -"))).code).toBe("VALIDATION_FAILED");
  });

  it("holds at most 100 matches and states when there are more", () => {
    const all = findSubjects(table, { type: "demo:serial", value: "s%" }, { matchOp: "ilike" });
    expect([all.matches.length, all.truncated, all.sources[1]?.matched]).toEqual([100, true, 100]);
    expect(all.matches[99]?.source_id).toBe("r099");
    const half = findSubjects(table, { type: "demo:serial", value: "S1" });
    expect([half.matches.length, half.truncated]).toEqual([65, undefined]);
    const hundred = buildSourceTable({
      sources: {
        "demo:many": {
          ...data.sources["demo:many"]!,
          records: data.sources["demo:many"]!.records!.slice(30),
        },
      },
    });
    const whole = findSubjects(hundred, { type: "demo:serial", value: "s%" }, { matchOp: "ilike" });
    expect([whole.matches.length, whole.truncated]).toEqual([100, undefined]);
  });

  it("refuses a source that is none or no register, naming its kind", () => {
    expect(catchRefusal(() => findSubjects(table, cnpj("1"), { source: "demo:sanction" })).message).toContain(
      'did you mean "demo:sanctions"?',
    );
    const area = catchRefusal(() => findSubjects(table, cnpj("1"), { source: "demo:parks" }));
    expect([area.code, area.message]).toEqual([
      "SOURCE_UNKNOWN",
      '"demo:parks" is a leaf, expected a subject_register',
    ]);
    expect(catchRefusal(() => findSubjects(table, cnpj("1"), { source: "lands" })).message).toContain(
      "a group",
    );
  });

  it("refuses a scheme that the pinned register, or every register, does not hold", () => {
    const pinned = catchRefusal(() =>
      findSubjects(table, { type: "demo:code", value: "1" }, { source: "demo:labour" }),
    );
    expect([pinned.code, pinned.details.supported]).toEqual(["SCHEME_UNSUPPORTED", ["br:cnpj"]]);
    const any = catchRefusal(() => findSubjects(table, { type: "br:cnp", value: "1" }));
    expect([any.code, any.message]).toEqual([
      "SCHEME_UNSUPPORTED",
      'no register contains the scheme "br:cnp"; did you mean "br:cnpj"?',
    ]);
  });

  it("finds a value under another type, in the queried registers alone", () => {
    const refused = (scheme: { type: string; value: string }, options: object = {}, within = ["*"]) =>
      catchRefusal(() => findSubjects(table.within(within), scheme, options));
    const taxNumber = { type: "br:tax_no", value: "11.222.333/0001-81" };
    const elsewhere = (...args: Parameters<typeof refused>) => refused(...args).details.held;
    const labour = { source_name: "demo:labour", type: "br:cnpj", asked: "br:tax_no" };
    expect(elsewhere(taxNumber)).toEqual([labour, { ...labour, source_name: "demo:sanctions" }]);
    expect(elsewhere(taxNumber, { source: "demo:labour" })).toEqual([labour]);
    expect(elsewhere(taxNumber, {}, ["demo:labour"])).toEqual([labour]);
    expect(elsewhere({ ...taxNumber, value: "11.222.333/0002-62" })).toEqual([]);
    expect(elsewhere(taxNumber, { matchOp: "ilike" })).toEqual([]);
    const failed = buildSourceTable(data, ["demo:sanctions"]);
    expect(catchRefusal(() => findSubjects(failed, taxNumber)).details.held).toEqual([labour]);
    // A message travels to callers who pay for answers: it is the same whether the value is held or not.
    expect(refused(taxNumber).message).toBe(refused({ ...taxNumber, value: "11.222.333/0002-62" }).message);
  });

  it("spends at most 1,000 look-ups on a suggestion, and names at most 3 places", () => {
    const names = Array.from({ length: 40 }, (_, i) => `demo:r${String(i).padStart(2, "0")}`);
    const schemes = Array.from({ length: 30 }, (_, i) => `demo:t${String(i).padStart(2, "0")}`);
    // Each holds one value everywhere, two of them another besides: the last look-up, and the first too many.
    const besides: Readonly<Record<string, string>> = { "demo:r32": "X2", "demo:r34": "X3" };
    const holding = buildSourceTable({
      sources: Object.fromEntries(
        names.map((name) => [
          name,
          {
            records: schemes.map((scheme) => ({
              id: scheme,
              identifiers: ["X1", besides[name] ?? "Y"].map((value) => ({ scheme, value })),
            })),
          },
        ]),
      ),
    });
    const elsewhere = (value: string) =>
      catchRefusal(() => findSubjects(holding, { type: "us:ein", value })).details.held;
    expect(elsewhere("x-1")).toHaveLength(3);
    expect((elsewhere("x-2") as object[])[0]).toMatchObject({ source_name: "demo:r32", type: "demo:t00" });
    expect(elsewhere("x-3")).toEqual([]);
  });

  it("reports a failed register and answers from the others", () => {
    const { matches, sources } = findSubjects(
      buildSourceTable(data, ["demo:sanctions"]),
      cnpj("11222333000181"),
    );
    expect(matches.map(({ source_name }) => source_name)).toEqual(["demo:labour"]);
    expect(sources.find(({ status }) => status === "failed")).toEqual({
      source_name: "demo:sanctions",
      status: "failed",
      matched: 0,
      reason: "provider timed out",
    });
  });
});

describe("findSubjects, with a value that its scheme excludes", () => {
  it("states so in the answer, with the value that would fit, which it does not look up", () => {
    const listed = buildSourceTable({
      sources: {
        "demo:list": {
          schemes: ["br:cnpj", "demo:code"],
          records: [{ id: "1", identifiers: [{ scheme: "br:cnpj", value: "06.990.590/0001-23" }] }],
        },
      },
    });
    const find = (value: string, matchOp?: "ilike", type = "br:cnpj") =>
      findSubjects(listed, { type, value }, { matchOp });
    const malformed = { code: "IDENTIFIER_MALFORMED", proposed: "06990590000123" };
    expect(find("6990590000123")).toMatchObject({ matches: [], malformed });
    expect(find("'06990590000123")).toMatchObject({ matches: [], malformed });
    expect(find("06990590000124").malformed).toEqual({ code: "CHECK_DIGITS_WRONG" });
    expect(find("6.9905900001e+12").malformed).toEqual({ code: "IDENTIFIER_MALFORMED" });
    for (const answer of [
      find("06990590000123"),
      find("6990590000123%", "ilike"),
      find("7", undefined, "demo:code"),
    ]) {
      expect("malformed" in answer).toBe(false);
    }
  });

  it("returns a match all the same where a register contains that value", () => {
    const listed = buildSourceTable({
      sources: {
        "demo:list": {
          schemes: ["br:cnpj"],
          records: [{ id: "1", identifiers: [{ scheme: "br:cnpj", value: "6990590000123" }] }],
        },
      },
    });
    const { matches, malformed } = findSubjects(listed, cnpj("6990590000123"));
    expect([matches.length, malformed?.proposed]).toEqual([1, "06990590000123"]);
  });
});

describe("an identifier of a known form, however it is written", () => {
  const SEED = 20_261_203;
  const random = createSeededRandom(SEED);
  const pick = <T>(from: ArrayLike<T>): T => from[random.integer(from.length)]!;
  const digits = (count: number) => Array.from({ length: count }, () => random.integer(10)).join("");

  /** Random values of each scheme that begin with zeros often; check digits are found by trying them. */
  function someValue(type: string): string {
    for (;;) {
      const zeros = "0".repeat(random.integer(4));
      const body =
        type === "br:cnpj"
          ? (zeros + digits(12)).slice(0, 12)
          : type === "br:cpf"
            ? (zeros + digits(9)).slice(0, 9)
            : type === "us:ein"
              ? `${pick(["01", "05", "12", "98"])}${digits(5)}`
              : Array.from({ length: 18 }, () => pick("0123456789ABCXYZ")).join("");
      const ends = Array.from({ length: 100 }, (_, i) => String(i).padStart(2, "0"));
      const fitting = ends
        .map((end) => body + end)
        .filter((value) => findSchemeFault({ type, value }) === undefined);
      if (fitting.length > 0) return pick(fitting);
    }
  }

  const TYPES = ["br:cnpj", "br:cpf", "us:ein", "iso:lei"];
  const values = TYPES.flatMap((type) =>
    Array.from({ length: 60 }, () => ({ type, value: someValue(type) })),
  );
  const register = buildSourceTable({
    sources: {
      "demo:list": {
        schemes: TYPES,
        records: values.map(({ type, value }, i) => ({ id: `${i}`, identifiers: [{ scheme: type, value }] })),
      },
    },
  });

  it(`is found with separators, ignorable characters, spaces and full-width letters in it (seed ${SEED})`, () => {
    const between = ["", "", "", " ", ".", "-", "/", "(", ")", "\u00a0", "\u2009", "\t", "\u2013", "\u00ad"];
    const ignorable = () => String.fromCodePoint(pick(IGNORABLE_RANGES)[random.integer(2)]!);
    const wide = (character: string) => String.fromCharCode(character.charCodeAt(0) + 0xfee0);
    for (const { type, value } of values) {
      for (let k = 0; k < 12; k++) {
        const written = [...value]
          .map((character) => pick([character, character.toLowerCase(), wide(character)]))
          .map((character) => character + (random.integer(5) === 0 ? ignorable() : pick(between)))
          .join("");
        const { matches, malformed } = findSubjects(register, { type, value: written });
        expect([matches.length > 0, malformed], JSON.stringify([type, written])).toEqual([true, undefined]);
      }
    }
  });

  it("is never missed without a word where zeros are lost or a digit is wrong", () => {
    let changed = 0;
    let unnoticed = 0;
    for (const { type, value } of values) {
      const lost = value.replace(/^0+/, "");
      if (lost !== value) {
        const { matches, malformed } = findSubjects(register, { type, value: lost });
        expect(matches.length > 0 || malformed !== undefined, lost).toBe(true);
        if (type !== "iso:lei") expect(malformed?.proposed).toBe(value);
      }
      for (let at = 0; at < value.length && type !== "us:ein"; at++) {
        const wrong = value.slice(0, at) + pick("0123456789") + value.slice(at + 1);
        if (wrong === value || /[A-Z]/.test(value[at]!)) continue;
        changed++;
        const { matches, malformed } = findSubjects(register, { type, value: wrong });
        if (matches.length === 0 && malformed === undefined) unnoticed++;
      }
    }
    // Modulo 11 gives 0 for two remainders, so a few changes of one digit keep both check digits.
    expect(changed).toBeGreaterThan(1_500);
    expect(unnoticed / changed).toBeLessThan(0.005);
  });
});
