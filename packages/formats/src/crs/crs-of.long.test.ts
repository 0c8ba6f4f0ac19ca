import { execFileSync } from "node:child_process";
import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { crsTable } from "../../../crs/src/index.ts";
import { findProjJsonCrs, findWktCrs } from "./crs-of.ts";

/** PROJ's own words for each system, if its `projinfo` is here. */
function runProjInfo(code: number, form: string): string | undefined {
  try {
    const text = execFileSync("projinfo", ["-q", "--single-line", "-o", form, `EPSG:${code}`], {
      stdio: ["ignore", "pipe", "ignore"],
    }).toString();
    return text.trim() === "" ? undefined : text;
  } catch {
    return undefined;
  }
}

const hasProj = runProjInfo(4326, "WKT1:GDAL") !== undefined;
if (!hasProj) console.info("Not compared with PROJ: projinfo is missing.");

const FORMS = ["WKT1:GDAL", "WKT1:ESRI", "WKT2:2015", "WKT2:2019", "PROJJSON"];

/** A seeded slice of the table; all of it with GROUNDRULE_FULL. */
function selectCodes(count: number): readonly number[] {
  if (process.env.GROUNDRULE_FULL !== undefined) return crsTable.codes;
  const random = createSeededRandom(74);
  return Array.from({ length: count }, () => crsTable.codes[random.integer(crsTable.codes.length)]!);
}

const withoutIds = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && "id" in value ? { ...value, id: undefined } : value;

describe.skipIf(!hasProj)("crsOfWkt and crsOfProjJson, against PROJ", () => {
  it("name every system in every form, by its code and without it", { timeout: 600_000 }, () => {
    for (const code of selectCodes(12)) {
      for (const form of FORMS) {
        const text = runProjInfo(code, form);
        // PROJ has no words for Equal Earth in text of OGC.
        if (text === undefined) continue;
        const isJson = form === "PROJJSON";
        const bare = isJson
          ? JSON.stringify(JSON.parse(text), withoutIds)
          : text.replace(/,(AUTHORITY|ID)\["EPSG","?\d+"?\]/g, "");
        for (const described of [text, bare]) {
          const found = isJson ? findProjJsonCrs(JSON.parse(described)) : findWktCrs(described);
          expect(`${form} ${found}`).toBe(`${form} EPSG:${code}`);
        }
      }
    }
  });
});
