import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatAddressFragment, parseAddressFragment } from "./config.ts";

describe("the fragment of the address", () => {
  it("brings back the ruleset and the view that were written into it, to the metre, and no key", () => {
    fc.assert(
      fc.property(
        fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
        fc.option(
          fc.record({
            longitude: fc.double({ min: -180, max: 180, noNaN: true }),
            latitude: fc.double({ min: -85, max: 85, noNaN: true }),
            zoom: fc.double({ min: 0, max: 22, noNaN: true }),
          }),
          { nil: undefined },
        ),
        (ruleset, view) => {
          const read = parseAddressFragment(formatAddressFragment({ ruleset, view }));
          expect([read.key, read.bbox, read.ruleset]).toEqual([undefined, undefined, ruleset]);
          expect(read.view === undefined).toBe(view === undefined);
          for (const [name, value] of Object.entries(view ?? {})) {
            expect(read.view?.[name as "zoom"]).toBeCloseTo(value, name === "zoom" ? 1 : 4);
          }
        },
      ),
      { seed: 5 },
    );
  });

  it("is plain where names are, and empty where there is nothing to remember", () => {
    const view = { longitude: -59.6, latitude: -10.5, zoom: 9.25 };
    expect(formatAddressFragment({ ruleset: "forest-areas@2", view })).toBe(
      "#ruleset=forest-areas@2&view=-59.60000,-10.50000,9.25",
    );
    expect(formatAddressFragment({})).toBe("");
  });

  it.each(["", "1,2", "1,2,x", "1,2,99", "181,2,3", "1,86,3", "1,,3", "NaN,1,1"])(
    "has no view in %j",
    (text) => {
      expect(parseAddressFragment(`#view=${text}`).view).toBeUndefined();
    },
  );
});
