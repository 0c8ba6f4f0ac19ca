import { createSeededRandom } from "@groundrule/testing/random";
import { joinFileBytes } from "@groundrule/testing/snapshot-bytes";
import { describe, expect, it, vi } from "vitest";
import { PatternMeter } from "../../base/pattern-meter.ts";
import { canonicalizeValue, formerCanonicalValue, IGNORABLE_RANGES } from "../canonical-value.ts";
import type { RecordInput, RegisterSnapshot } from "../snapshot.ts";
import { createRegisterWriter } from "../write/register-writer.ts";
import { findFormerValues } from "./former-values.ts";
import { verifySnapshot } from "./reader.ts";
import type { StoredIdentifiers } from "./stored-identifiers.ts";

const SEED = 20_261_201;
const random = createSeededRandom(SEED);

/** The writer as it was before default-ignorable characters were stripped. */
async function importFormerWriter(): Promise<typeof createRegisterWriter> {
  vi.doMock("../canonical-value.ts", () => ({ canonicalizeValue: formerCanonicalValue }));
  vi.resetModules();
  const { createRegisterWriter: former } = await import("../write/register-writer.ts");
  vi.doUnmock("../canonical-value.ts");
  return former;
}

function open(create: typeof createRegisterWriter, records: readonly RecordInput[]): RegisterSnapshot {
  const writer = create({ source_name: "test:register", kind: "subject_register" });
  for (const record of records) writer.add(record);
  return verifySnapshot(joinFileBytes(writer.finish())) as RegisterSnapshot;
}

function withIgnorables(text: string): string {
  return [...text]
    .map((character) => {
      if (random.integer(6) > 0) return character;
      const [first, last] = IGNORABLE_RANGES[random.integer(IGNORABLE_RANGES.length)]!;
      const ignorable = String.fromCodePoint(first + random.integer(last - first + 1));
      return random.integer(2) > 0 ? character + ignorable : ignorable + character;
    })
    .join("");
}

describe(`a register stored in the former canonical form (seed ${SEED})`, () => {
  it("answers as one that is built today", async () => {
    const create = await importFormerWriter();
    const digits = (count: number): string => Array.from({ length: count }, () => random.integer(3)).join("");
    const records = Array.from({ length: 800 }, (_, i): RecordInput => {
      const value = withIgnorables(digits(4 + random.integer(3)));
      const scheme = random.integer(3) === 0 ? "t:b" : "t:a";
      return { id: `r${i}`, name: null, properties: {}, identifiers: [{ scheme, value }] };
    });
    const former = open(create, records).identifiers;
    const today = open(createRegisterWriter, records).identifiers;
    const ofRows = (found: readonly { readonly row: number }[]) => found.map(({ row }) => row).sort();
    let hits = 0;
    for (let k = 0; k < 1_500; k++) {
      const scheme = k % 2 === 0 ? "t:a" : "t:b";
      const value = canonicalizeValue(withIgnorables(digits(4 + random.integer(2))));
      const limit = [1, 2, Infinity][random.integer(3)]!;
      const found = former.find(scheme, value, limit);
      expect(found).toEqual(today.find(scheme, value, limit));
      hits += found.length;
      expect(ofRows(former.findPrefix(scheme, value))).toEqual(ofRows(today.findPrefix(scheme, value)));
      const pieces = [value.slice(0, 2), value.slice(2, 3), ""].slice(random.integer(2));
      const first = [scheme, pieces, limit] as const;
      expect(former.findFirst(...first, new PatternMeter())).toEqual(
        today.findFirst(...first, new PatternMeter()),
      );
    }
    expect(hits).toBeGreaterThan(500);
  });

  it("finds each value whichever single ignorable character it contains", async () => {
    const create = await importFormerWriter();
    const ignorables = IGNORABLE_RANGES.flat();
    const records = ignorables.map((code, i): RecordInput => {
      const value = `11222333${String.fromCodePoint(code)}000${100 + i}`;
      return { id: `r${i}`, name: null, properties: {}, identifiers: [{ scheme: "br:cnpj", value }] };
    });
    const identifiers = open(create, records).identifiers as StoredIdentifiers;
    expect(findFormerValues(identifiers.tables, 0)).toHaveLength(ignorables.length);
    for (const [i] of ignorables.entries()) {
      expect(identifiers.find("br:cnpj", `11222333000${100 + i}`).map(({ row }) => row)).toEqual([i]);
    }
    expect(identifiers.findPrefix("br:cnpj", "11222333")).toHaveLength(ignorables.length);
  });
});
