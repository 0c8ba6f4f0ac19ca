import { readCrsMember } from "@groundrule/engine/internal";
import { crsOfWktBy } from "#host/crs-names";

/**
 * The CRS that a `crs` member names, in any form that GeoJSON has had ({@link readCrsMember}); well-known text in the place of a
 * name is read as such.
 *
 * @param member as the JSON has it
 * @returns undefined where it names none, which is to be refused, never ignored
 *
 * Fails: in a browser, `NeedsCode` for well-known text: call it by `withNeeded`.
 */
export function crsInMember(member: unknown): string | undefined {
  const name = readCrsMember(member)?.name;
  return name !== undefined && isWkt(name) ? crsOfWktBy()(name) : name;
}

/**
 * The CRS of a `spatialReference` of Esri: by its newest code, else by its text.
 *
 * @returns undefined where it names none that is known
 *
 * Fails: as {@link crsInMember}.
 */
export function findSpatialReferenceCrs(value: unknown): string | undefined {
  const { latestWkid, wkid, wkt, wkt2 } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const code = [latestWkid, wkid].find((each) => Number.isInteger(each) && (each as number) > 0);
  const text = [wkt2, wkt].find((each) => typeof each === "string");
  const byText = text === undefined ? undefined : crsOfWktBy()(text as string);
  return code === undefined ? byText : (byText ?? `EPSG:${code}`);
}

function isWkt(name: string): boolean {
  return /^\s*[A-Z]+(?:CS|CRS|_CS)\s*[[(]/i.test(name);
}
