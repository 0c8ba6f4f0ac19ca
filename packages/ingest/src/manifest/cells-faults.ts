import type { CellRange, CellsManifest, Fault, SourceManifest } from "@groundrule/engine";
import { isSameCrs, MAX_RASTER_AREAS } from "@groundrule/engine/internal";
import { findClaimedTwice, formatCellRange } from "./value-table.ts";

const OF_FEATURES = ["id", "name", "country"] as const;

/** Faults of the table of a raster's values that no member has on its own. */
export function listCellsFaults(manifest: SourceManifest, cells: CellsManifest): Fault[] {
  const faults: Fault[] = [];
  const fault = (pointer: string, code: string, message: string) => faults.push({ pointer, code, message });
  for (const member of OF_FEATURES) {
    if (manifest[member] === undefined) continue;
    fault(
      `/${member}`,
      "MEMBER_FOREIGN",
      `"${member}" names a column of features, but this source has cells`,
    );
  }
  if (manifest.crs !== undefined && !isSameCrs(manifest.crs, "OGC:CRS84")) {
    fault("/crs", "CRS_UNSUPPORTED", `found "${manifest.crs}", expected EPSG:4326: cells stay as published`);
  }
  if (cells.values.length > MAX_RASTER_AREAS) {
    const found = `found ${cells.values.length} areas, expected at most ${MAX_RASTER_AREAS}`;
    fault("/cells/values", "MEMBER_INVALID", found);
  }
  const ranges: [pointer: string, range: CellRange][] = [
    ...cells.values.map((each, i) => [`/cells/values/${i}`, each] as [string, CellRange]),
    ...(cells.background ?? []).map((each, i) => [`/cells/background/${i}`, each] as [string, CellRange]),
    ...(cells.nodata ?? []).flatMap((each, i) =>
      typeof each === "object" ? [[`/cells/nodata/${i}`, each] as [string, CellRange]] : [],
    ),
  ];
  for (const [pointer, { value, through, below }] of ranges) {
    if (through !== undefined && below !== undefined) {
      fault(pointer, "RANGE_INVALID", 'found both "through" and "below", expected one of them');
    } else if (through !== undefined && through < value) {
      fault(`${pointer}/through`, "RANGE_INVALID", `found ${through}, expected at least ${value}`);
    } else if (below !== undefined && below <= value) {
      fault(`${pointer}/below`, "RANGE_INVALID", `found ${below}, expected more than ${value}`);
    }
  }
  const twice = faults.length === 0 ? findClaimedTwice(cells) : undefined;
  if (twice !== undefined) {
    fault("/cells", "VALUE_TWICE", `found the value ${twice} twice, expected each in one entry`);
  }
  const ids = new Set<string>();
  for (const [i, area] of cells.values.entries()) {
    const id = area.id ?? formatCellRange(area);
    if (ids.has(id)) fault(`/cells/values/${i}/id`, "ID_TWICE", `found "${id}" a second time`);
    ids.add(id);
    if (area.properties !== undefined && Object.hasOwn(area.properties, "value")) {
      const pointer = `/cells/values/${i}/properties/value`;
      fault(
        pointer,
        "COLUMN_TAKEN",
        'found a property "value", which every area has: the value of its cells',
      );
    }
  }
  const { mask } = cells;
  if (mask?.band !== undefined && mask.files !== undefined) {
    fault("/cells/mask", "MASK_AMBIGUOUS", 'found both "band" and "files", expected one of them');
  }
  return faults;
}
