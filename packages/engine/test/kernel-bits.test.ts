import { expect, it } from "vitest";
import { kernelBits } from "./kernel-bits.ts";

// A change of this hash is a change of results to the last bit: `npm run test:hosts` tells whether
// hosts still agree, docs/semantics whether it needs a new semantics version.
it("answers a seeded program with the same bits as everywhere", () => {
  expect(kernelBits()).toBe("592eadaf8d1388f238d0a7d7166f92496ac79a4df337b96c8c26766cfa14ced5");
});
