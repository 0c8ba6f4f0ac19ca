import { describe, expect, it } from "vitest";
import { createAreaWriter } from "../snapshot/write/writer.ts";
import { formatJsonPointer, parseJsonPointer } from "./json-pointer.ts";

describe("a JSON pointer", () => {
  it("escapes as RFC 6901 does, in the order that keeps ~1 apart from an escaped slash", () => {
    expect(formatJsonPointer([])).toBe("");
    expect(formatJsonPointer(["a/b", "m~n", 0, "", "~1", " "])).toBe("/a~1b/m~0n/0//~01/ ");
  });

  it("lists the names of its path", () => {
    for (const path of [[], ["a/b", "m~n", "0", "", "~1", " "]])
      expect(parseJsonPointer(formatJsonPointer(path))).toEqual(path);
  });

  it("holds U+FFFD for half a surrogate pair", () => {
    expect(formatJsonPointer(["\ud800"])).toBe("/\ufffd");
  });

  it("leads to a manifest's column, whatever its name", () => {
    const columns = { "share/of~all": "percent" } as unknown as Record<string, "number">;
    expect(() => createAreaWriter({ source_name: "a:b", kind: "leaf", columns })).toThrow(
      expect.objectContaining({
        details: { faults: [expect.objectContaining({ pointer: "/columns/share~1of~0all" })] },
      }),
    );
  });
});
