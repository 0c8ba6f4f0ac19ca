import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RecentlyUsed } from "./recently-used.ts";

describe("RecentlyUsed", () => {
  it("lets go of what was used longest ago, not of what came first", () => {
    const kept = new RecentlyUsed<string, { readonly no: number }>(2);
    kept.set("a", { no: 1 });
    kept.set("b", { no: 2 });
    expect(kept.get("a")).toEqual({ no: 1 });
    kept.set("c", { no: 3 });
    expect(kept.get("b")).toBeUndefined();
    expect(kept.get("a")).toEqual({ no: 1 });
    expect(kept.get("c")).toEqual({ no: 3 });
  });

  it("makes a value once as long as it is kept, and keeps none whose making failed", () => {
    const kept = new RecentlyUsed<string, object>(1);
    const made = kept.getOrMake("a", () => ({}));
    expect(kept.getOrMake("a", () => ({ another: true }))).toBe(made);
    expect(() =>
      kept.getOrMake("b", () => {
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(kept.get("b")).toBeUndefined();
    expect(kept.get("a")).toBe(made);
  });

  it("does as a list that is sorted by the last use", () => {
    const step = fc.record({ key: fc.nat(6), isSet: fc.boolean() });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 60 }), (most, steps) => {
        const kept = new RecentlyUsed<number, { readonly at: number }>(most);
        let byUse: { readonly key: number; readonly at: number }[] = [];
        steps.forEach(({ key, isSet }, at) => {
          const known = byUse.find((entry) => entry.key === key);
          if (isSet) kept.set(key, { at });
          else expect(kept.get(key)?.at).toBe(known?.at);
          if (!isSet && known === undefined) return;
          const used = { key, at: isSet ? at : known!.at };
          byUse = [...byUse.filter((entry) => entry.key !== key), used].slice(-most);
        });
      }),
    );
  });
});
