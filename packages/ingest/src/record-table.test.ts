import type { Spill } from "@groundrule/engine/build";
import { describe, expect, it } from "vitest";
import { RecordTable, RowSet } from "./record-table.ts";

describe("RecordTable", () => {
  it.each([undefined, inOneBuffer()])(
    "finds each of 20,000 records by its id alone, and where values differ",
    (spill) => {
      const table = new RecordTable(3, spill);
      const makeId = (row: number): string => (row % 3 === 0 ? `ção-${row}` : `${row * 7}`);
      for (let row = 0; row < 20_000; row++)
        table.add(makeId(row), [row, row % 5 === 0 ? null : `${row}`, row % 2 === 0]);
      for (let row = 0; row < 20_000; row += 7) {
        expect([table.find(makeId(row)), table.id(row)]).toEqual([row, makeId(row)]);
        expect(table.differing(row, [row, row % 5 === 0 ? null : `${row}`, row % 2 === 0])).toEqual([]);
        expect(table.differing(row, [`${row}`, "", row % 2 === 0])).toEqual([0, 1]);
      }
      expect([table.find("x"), table.find(""), table.count]).toEqual([undefined, undefined, 20_000]);
    },
  );

  it("distinguishes ids whose hashes are the same", () => {
    // Two pairs of one FNV-1a hash.
    const table = new RecordTable(0, undefined);
    for (const id of ["costarring", "declinate"]) table.add(id, []);
    expect(["costarring", "liquid", "declinate", "macallums"].map((id) => table.find(id))).toEqual([
      0,
      undefined,
      1,
      undefined,
    ]);
  });
});

describe("RowSet", () => {
  it("counts each row once", () => {
    const rows = new RowSet();
    for (const row of [5, 100_000, 5, 0, 100_000]) rows.add(row);
    expect([rows.size, rows.has(5), rows.has(6), rows.has(100_000), rows.has(1e6)]).toEqual([
      3,
      true,
      false,
      true,
      false,
    ]);
  });
});

function inOneBuffer(): Spill {
  let kept = Buffer.alloc(0);
  return {
    write(bytes) {
      const place = kept.length;
      kept = Buffer.concat([kept, bytes]);
      return place;
    },
    read(place, into) {
      into.set(kept.subarray(place, place + into.length));
    },
  };
}
