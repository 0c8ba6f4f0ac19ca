import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as inNode from "@groundrule/crs";
import { build, type Rolldown } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProjectionsPlugin } from "../needed-projections.ts";

const CRS = join(import.meta.dirname, "../../../packages/crs/src/index.ts");
const dir = mkdtempSync(join(tmpdir(), "groundrule-crs-"));
let inPage: typeof inNode;
let code: string;

beforeAll(async () => {
  const built = await build({
    configFile: false,
    logLevel: "silent",
    plugins: [createProjectionsPlugin()],
    build: { write: false, lib: { entry: CRS, formats: ["es"] } },
  });
  code = (built as Rolldown.RolldownOutput[])[0]!.output[0].code;
  writeFileSync(join(dir, "crs.mjs"), code);
  inPage = await import(pathToFileURL(join(dir, "crs.mjs")).href);
});
afterAll(() => rmSync(dir, { recursive: true }));

describe("reference systems in the page", () => {
  it("are those of the table, and turn every position as they do elsewhere", () => {
    expect(inPage.crsTable.codes).toEqual(inNode.crsTable.codes);
    const differing = inNode.crsTable.codes.filter((epsg) => {
      const [here, there] = [inNode, inPage].map(({ crsTable }) => {
        const { transform, isProjected } = crsTable.find(epsg)!;
        const positions: [number, number][] = isProjected
          ? [[500_000.25, 4_650_000.5], [2_600_000, 1_200_000], [-55_000, 310_000], [0, 0]] // biome-ignore format: positions
          : [[-54.125, -3.5], [179.999, 84], [0, 0]]; // biome-ignore format: positions
        for (const position of positions) transform(position);
        return JSON.stringify(positions);
      });
      return here !== there;
    });
    expect(differing).toEqual([]);
  });

  it("come without the projections, datums, ellipsoids and readers that none of them has", () => {
    const whole = readFileSync(createRequire(CRS).resolve("proj4"), "utf8");
    for (const word of [
      "Robinson",
      "Quadrilateralized_Spherical_Cube",
      "MGRSPoint bad conversion",
      "BASEGEOGCRS",
      "Hermannskogel",
      "Walbeck",
      "grid endian-ness",
    ]) {
      expect(whole).toContain(word);
      expect(code).not.toContain(word);
    }
  });
});
