import { createSeededRandom, drawText, type Random } from "@groundrule/testing/random";
import { joinFileBytes } from "@groundrule/testing/snapshot-bytes";
import { describe, expect, it } from "vitest";
import { compareStrings } from "../../base/ascending.ts";
import { PatternMeter } from "../../base/pattern-meter.ts";
import { canonicalizeValue } from "../canonical-value.ts";
import type { Identifier, RecordInput, RegisterSnapshot } from "../snapshot.ts";
import { createRegisterWriter } from "../write/register-writer.ts";
import { verifySnapshot } from "./reader.ts";

const SEED = 20_261_122;

describe(`findFirst of a register (seed ${SEED})`, () => {
  const random = createSeededRandom(SEED);

  it.each([
    ["two letters, short", ["0", "A"], 0, 9, 400],
    ["digits", [..."0123456789"], 8, 14, 6_000],
    ["digits, dense", [..."0011123"], 5, 12, 5_000],
    ["letters that are many bytes", ["é", "ß", "İ", "ﬁ", "日", "本", "😀", "𝒳", "\uffee", "a"], 1, 6, 3_000],
    ["marks that combine, and zeros", ["e", "\u0301", "\u0000", "\u0327", "x", "K"], 1, 7, 1_500],
    ["one value long, the others short", [..."abcdefghij"], 1, 4, 2_000],
  ] as const)("agrees with a scan of all values: %s", (_title, letters, least, most, count) => {
    const records = randomRecords(random, letters, least, most, count);
    const opened = open(records);
    for (let k = 0; k < 150; k++) {
      const pieces = randomPieces(random, letters, records);
      const limit = [1, 3, 101][random.integer(3)]!;
      for (const scheme of ["t:a", "t:b"]) {
        const expected = scan(records, scheme, pieces).slice(0, limit);
        const found = opened.identifiers.findFirst(scheme, pieces, limit, new PatternMeter(Infinity));
        expect(found, JSON.stringify([scheme, pieces, limit])).toEqual(expected);
      }
    }
  });

  it.each([40, 140])("counts what it compares of long values, %i of them", (count) => {
    const records = Array.from({ length: count }, (_, i): RecordInput => {
      const value = `AAAB${"A".repeat(4_000)}${i}`;
      return { id: String(i), name: null, properties: {}, identifiers: [{ scheme: "t:a", value }] };
    });
    const { identifiers } = open(records);
    const find = (): unknown =>
      identifiers.findFirst("t:a", ["", `${"A".repeat(200)}B`, ""], 101, new PatternMeter());
    expect(find).toThrow(expect.objectContaining({ code: "PATTERN_TOO_COMPLEX" }));
  });

  it("answers in the order of the records' ids, wherever the values lie", () => {
    const records = Array.from({ length: 9_000 }, (_, i): RecordInput => {
      const value = String(1_000_000 + ((i * 7_919) % 9_000));
      return { id: value, name: null, properties: {}, identifiers: [{ scheme: "t:a", value }] };
    });
    const opened = open(records);
    for (const pieces of [
      ["1", ""],
      ["", "8", ""],
      ["", "88", ""],
      ["1008", ""],
      ["", "00", "7", ""],
      ["", "99"],
    ]) {
      const found = opened.identifiers.findFirst("t:a", pieces, 101, new PatternMeter(Infinity));
      expect(found, pieces.join("%")).toEqual(scan(records, "t:a", pieces).slice(0, 101));
    }
  });

  it("counts its work, and refuses a pattern whose parts all values hold in another order", () => {
    const records = Array.from({ length: 30_000 }, (_, i): RecordInput => {
      const value = `${1_000_000 + i}BBBBAAAA`;
      return { id: `r${i}`, name: null, properties: {}, identifiers: [{ scheme: "t:a", value }] };
    });
    const { identifiers } = open(records);
    const work = (pieces: readonly string[], allowed?: number): number => {
      const meter = new PatternMeter(allowed);
      identifiers.findFirst("t:a", pieces, 101, meter);
      return meter.counted;
    };
    expect(work(["", "BBBB", "AAAA", ""])).toBeLessThan(40_000);
    expect(work(["", "0123", ""])).toBeLessThan(40_000);
    expect(work(["", "0123", "AAAA", ""])).toBeLessThan(40_000);
    expect(work(["", "X", ""])).toBeLessThan(100);
    expect(() => work(["", "AAAA", "BBBB", ""], 1_000_000)).toThrow(
      expect.objectContaining({
        code: "PATTERN_TOO_COMPLEX",
        details: expect.objectContaining({ counted: expect.any(Number), allowed: 1_000_000 }),
      }),
    );
  });
});

function open(records: readonly RecordInput[]): RegisterSnapshot {
  const writer = createRegisterWriter({ source_name: "test:register", kind: "subject_register" });
  for (const record of records) writer.add(record);
  return verifySnapshot(joinFileBytes(writer.finish())) as RegisterSnapshot;
}

/** The specification of `findFirst`, without an index. */
function scan(records: readonly RecordInput[], scheme: string, pieces: readonly string[]): Identifier[] {
  return toCanonical(records)
    .filter((one) => one.scheme === scheme && isLike(one.canonical, pieces))
    .sort((a, b) => compareStrings(a.id, b.id) || compareStrings(a.value, b.value))
    .map(({ scheme: of, value, row }) => ({ scheme: of, value, row }));
}

const canonicals = new WeakMap<readonly RecordInput[], (Identifier & { id: string; canonical: string })[]>();

function toCanonical(records: readonly RecordInput[]): (Identifier & { id: string; canonical: string })[] {
  let known = canonicals.get(records);
  if (known === undefined) {
    known = records.flatMap(({ id, identifiers }, row) =>
      identifiers.map((one) => ({ ...one, id, row, canonical: canonicalizeValue(one.value) })),
    );
    canonicals.set(records, known);
  }
  return known;
}

/** Each piece at its first place after the one before; the last at the end. */
function isLike(value: string, pieces: readonly string[]): boolean {
  const [first = "", ...others] = pieces;
  const last = others.pop();
  if (last === undefined) return value === first;
  if (!value.startsWith(first)) return false;
  let at = first.length;
  for (const piece of others) {
    const found = value.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return value.length - last.length >= at && value.endsWith(last);
}

function randomRecords(
  random: Random,
  letters: readonly string[],
  least: number,
  most: number,
  count: number,
): RecordInput[] {
  const text = (): string => drawText(random, letters, least + random.integer(most - least + 1));
  return Array.from({ length: count }, (_, i) => {
    const values = new Set([
      text(),
      ...(i % 5 === 0 ? [text()] : []),
      ...(i === 7 ? ["abcdefghij".repeat(700)] : []),
    ]);
    const kept = [...values].filter((value) => canonicalizeValue(value) !== "");
    return {
      id: `r${random.integer(1_000_000)}-${i}`,
      name: null,
      properties: {},
      identifiers: kept.map((value, k) => ({ scheme: k === 1 || i % 11 === 0 ? "t:b" : "t:a", value })),
    };
  });
}

/** Pieces of a pattern: of letters at random, or cut from a value. */
function randomPieces(random: Random, letters: readonly string[], records: readonly RecordInput[]): string[] {
  const values = records[random.integer(records.length)]!.identifiers;
  const points = [...canonicalizeValue(values[0]?.value ?? "A")].slice(0, 40);
  const pieces = Array.from({ length: 1 + random.integer(4) }, () => {
    if (random.integer(4) === 0) return "";
    if (random.integer(3) === 0) {
      return canonicalizeValue(letters[random.integer(letters.length)]!.repeat(1 + random.integer(5)));
    }
    const from = random.integer(points.length);
    return points.slice(from, from + 1 + random.integer(random.integer(3) === 0 ? 12 : 4)).join("");
  });
  if (random.integer(2) === 0) pieces.push("");
  if (random.integer(2) === 0) pieces.unshift("");
  return pieces.every((piece) => piece === "") ? ["", points[0]!, ""] : pieces;
}
