import { expect, it } from "vitest";
import { kernelBits } from "./kernel-bits.ts";

// A change of this hash is a change of results to the last bit: `npm run test:hosts` tells whether
// hosts still agree, docs/semantics whether it needs a new semantics version.
it("answers a seeded program with the same bits as everywhere", () => {
  expect(kernelBits()).toBe("090611d6e1f7fff83f36d3bc88812de5b40ca17957d6a1d4c012aa04b34d7a07");
});
