import { expect, it } from "vitest";
import { kernelBits } from "./kernel-bits.ts";

// A change of this hash is a change of results to the last bit: `npm run test:hosts` tells whether
// hosts still agree, docs/semantics whether it needs a new semantics version.
it("answers a seeded program with the same bits as everywhere", () => {
  expect(kernelBits()).toBe("b833a2f3071c8bf99dc22f49fe8e933104e996980242b48f09e4a98b214dfd68");
});
