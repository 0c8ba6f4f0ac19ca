import { expect, it } from "vitest";
import { expectHostileTiffsRefused } from "../../test/hostile-tiffs.ts";

it("10,000 mutated GeoTIFFs are read or refused within a second and 512 MiB each", () => {
  expect.hasAssertions();
  expectHostileTiffsRefused(1_000_000, 10_000);
});
