import { describe, expect, it } from "vitest";
import { decodeUtf8, encodeUtf8 } from "../../base/utf8.ts";
import { TextColumn } from "./text-table.ts";

describe("TextColumn", () => {
  it("keeps texts made to collide, in bounded work, by entering some of them again", () => {
    const colliding: string[] = [];
    for (let i = 0; colliding.length < 400; i++) {
      const text = `t${i}`;
      if ((computeSlotHash(text) & 2047) === 0) colliding.push(text);
    }
    const column = new TextColumn();
    const pushed = [...colliding, ...colliding];
    for (const text of pushed) column.push(encodeUtf8(text));
    const read = pushed.map((_, row) => {
      const utf8 = column.get(row)!;
      return decodeUtf8(utf8, 0, utf8.length);
    });
    expect(read).toEqual(pushed);
    expect(column.entries.count).toBeGreaterThan(colliding.length);
  });
});

/** The hash that chooses the slot, written out again; for ASCII. */
function computeSlotHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash ^ (hash >>> 15);
}
