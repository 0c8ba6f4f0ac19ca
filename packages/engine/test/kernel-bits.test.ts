import { expect, it } from "vitest";
import { kernelBits } from "./kernel-bits.ts";

// A change of this hash is a change of results to the last bit: `npm run test:hosts` tells whether
// hosts still agree, docs/semantics whether it needs a new semantics version.
it("answers a seeded program with the same bits as everywhere", () => {
  expect(kernelBits()).toBe("0b3ae040cb300c1f5fbf2411fea5892e1691993379808be03e4bca4df2c0613b");
});
