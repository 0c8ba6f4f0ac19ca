import { expect, it } from "vitest";
import { damageFiles } from "./damage.ts";
import { seedOr } from "./seed.ts";

it("T-48: a damaged state file is refused or served without an internal error, and shows nothing that was not stored", async () => {
  const report = await damageFiles(4, seedOr(48));
  expect(report.served).toBeGreaterThan(0);
  expect(report.replayed).toBeGreaterThan(0);
});
