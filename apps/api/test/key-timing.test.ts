import { it } from "vitest";
import { timeKeyChecks } from "./key-timing.ts";
import { readSeed } from "./seed.ts";

it("T-41: takes as long to refuse a key that is like a stored one as a key that is not", async () => {
  // Beside other tests 4.5 would be met by chance; the check that tells is far beyond either.
  await timeKeyChecks(5_000, readSeed(41), 10);
});
