import { createSeededRandom, drawText } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { compareStrings } from "../../base/ascending.ts";
import { decodeUtf8, encodeUtf8 } from "../../base/utf8.ts";
import { MemorySpill } from "./spill.ts";
import { TextSorter } from "./text-sorter.ts";

const SEED = 20_261_123;

describe(`TextSorter (seed ${SEED})`, () => {
  it.each([
    ["number first", 400, 30],
    ["second first", 400, 30],
    // Some 40 MB: three runs.
    ["number first", 1_500, 27_000],
  ] as const)(
    "orders by text, then with the %s, in each of %i entries of up to %i bytes",
    (order, count, most) => {
      const random = createSeededRandom(SEED);
      const letters = ["A", "B", "\u0000", "é", "\uffee", "😀", "日"];
      const text = (length: number): string => drawText(random, letters, length);
      const entries = Array.from({ length: count }, () => ({
        group: random.integer(3),
        text: text(random.integer(4)).padStart(random.integer(3) * 4, "A"),
        number: random.integer(4),
        second: text(random.integer(3)),
        payload: "x".repeat(random.integer(most)),
      }));
      const spill = new MemorySpill();
      const sorter = new TextSorter(order, spill);
      for (const each of entries) {
        sorter.add(
          each.group,
          encodeUtf8(each.text),
          each.number,
          encodeUtf8(each.second),
          encodeUtf8(each.payload),
        );
      }
      const show = (bytes: Uint8Array): string => decodeUtf8(bytes, 0, bytes.length);
      for (let group = 0; group < 4; group++) {
        const found: unknown[] = [];
        sorter.read(group, (each) =>
          found.push([show(each.text), each.number, show(each.second), each.payload.length]),
        );
        const expected = entries
          .filter((each) => each.group === group)
          .sort((a, b) => {
            const [byNumber, bySecond] = [a.number - b.number, compareStrings(a.second, b.second)];
            return (
              compareStrings(a.text, b.text) ||
              (order === "number first" ? byNumber || bySecond : bySecond || byNumber)
            );
          })
          .map((each) => [each.text, each.number, each.second, each.payload.length]);
        // Equal entries come in any order.
        const keys = (rows: readonly unknown[]): unknown[] =>
          rows.map((row) => (row as unknown[]).slice(0, 3));
        expect(keys(found)).toEqual(keys(expected));
        const lengths = (rows: readonly unknown[]): number[] =>
          rows.map((row) => (row as number[])[3]!).sort();
        expect(lengths(found)).toEqual(lengths(expected));
      }
    },
  );
});
