import { expect, it } from "vitest";
import { kernelBits } from "./kernel-bits.ts";

// A change of this hash is a change of results to the last bit: `npm run test:hosts` tells whether
// hosts still agree, docs/semantics whether it needs a new semantics version.
it("answers a seeded program with the same bits as everywhere", () => {
  expect(kernelBits()).toBe("d17ba6a1a83331f7a2ba7172ebf8fb6cb7c211fab5003004a5aa8afde5ce1312");
});
