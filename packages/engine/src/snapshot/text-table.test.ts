import { describe, expect, it } from "vitest";
import { TextColumn } from "./text-table.ts";
import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

describe("TextColumn", () => {
  it("keeps texts made to collide, in bounded work, by entering some of them again", () => {
    const colliding: string[] = [];
    for (let i = 0; colliding.length < 600; i++) {
      const text = `t${i}`;
      if ((slotHash(text) & 4095) === 0) colliding.push(text);
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

/** The hash that chooses the slot, written out again. */
function slotHash(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash ^ (hash >>> 15);
}
