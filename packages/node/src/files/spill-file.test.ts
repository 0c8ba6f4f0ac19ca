import { describe, expect, it } from "vitest";
import { openSpillFile } from "./spill-file.ts";

describe("openSpillFile", () => {
  it("reads back what was written, from any place, until it is closed", () => {
    const spill = openSpillFile();
    const bytes = Uint8Array.from({ length: 300_000 }, (_, i) => i % 251);
    const places = [spill.write(bytes), spill.write(bytes.subarray(7)), spill.write(new Uint8Array(0))];
    expect(places).toEqual([0, 300_000, 599_993]);
    const into = new Uint8Array(100_000);
    spill.read(250_000, into);
    expect(into).toEqual(Uint8Array.from(into, (_, i) => (i < 50_000 ? i + 250_000 : i - 50_000 + 7) % 251));
    expect(() => spill.read(599_990, new Uint8Array(4))).toThrow("nothing was kept at byte 599993");
    spill.close();
    expect(() => spill.read(0, new Uint8Array(1))).toThrow();
  });
});
