import { expect, it } from "vitest";
import { expectHostileTiffsRefused } from "../../test/hostile-tiffs.ts";

const COUNT = process.env.GROUNDRULE_FULL === undefined ? 3_000 : 10_000;

it(`${COUNT} mutated GeoTIFFs are read or refused within a second and 512 MiB each`, () => {
  expect.hasAssertions();
  expectHostileTiffsRefused(1_000_000, COUNT);
});
