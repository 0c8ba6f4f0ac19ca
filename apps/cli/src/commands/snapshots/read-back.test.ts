import { existsSync, mkdirSync } from "node:fs";
import { createFolderForEach } from "@groundrule/testing/folder";
import { describe, expect, it } from "vitest";
import { encodeTiff } from "../../../../../packages/formats/test/write-tiff.ts";
import { buildAtRandom } from "../../../test/extreme-builds.ts";
import { matchFailedExit, runInProcess } from "../../../test/in-process.ts";

const { at, write } = createFolderForEach();

describe("a number that the catalog could not hold", () => {
  const LEAST = "-3.4028234663852886e+38";
  const build = (table: string) => {
    const values = Array.from({ length: 16 }, (_, i) => (i % 2 === 0 ? 1.5 : Number(LEAST)));
    const cells = { columns: 4, rows: 4, values, kind: "float", bits: 32, nodata: LEAST } as const;
    write("cells.tif", encodeTiff(cells));
    write("values.csv", table);
    const args = ["--source", "my:cells", "--values", at("values.csv"), at("cells.tif")];
    return runInProcess(["snapshot", "build", ...args, "--data", at("data")]);
  };

  it.each([
    ["value,below,is\n1,1e20,area", 'row 1, line 2: found 1e20 in column "below" of the table of values'],
    [`value,below,is\n1,2,area\n${LEAST},,nodata`, `row 2, line 3: found ${LEAST} in column "value"`],
    ["value,below,is,size\n1,2,area,1e+21", 'found 1e+21 in column "size" of the table of values'],
  ])("is refused where it stands in a table of values: %j", async (table, message) => {
    const built = await build(table);
    expect(built).toMatchObject(matchFailedExit(3, message));
    expect(built.err).toContain("expected a number within ±9007199254740991");
    expect(existsSync(at("data/catalog.json"))).toBe(false);
  });

  it("is refused as the nodata of a GeoTIFF, with the member that repeats it", async () => {
    const built = await build("value,below,is\n1,2,area\n-9007199254740991,0,background");
    expect(built).toMatchObject(
      matchFailedExit(3, `say "nodata_tag" in cells of the manifest: "nodata" if the tag is right`),
    );
  });
});

describe("builds of manifests, tables of values and columns with extreme values", () => {
  it("leave a folder that every command and a service read, whether they are accepted or not", async () => {
    const seen = { accepted: 0, refused: 0 };
    for (const seed of [1, 2]) {
      mkdirSync(at(`${seed}`));
      const { accepted, refused } = await buildAtRandom(seed, 40, at(`${seed}`));
      seen.accepted += accepted;
      seen.refused += refused;
    }
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(8);
  });
});
