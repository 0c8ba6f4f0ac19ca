import type { CellCoverage, Coverage, CoveragePieces } from "../coverage.ts";
import { FIRST_COLUMN_SECTION, PIECE_COUNTRIES_COLUMN } from "../format.ts";
import type { AreaSnapshot, Snapshot, SnapshotMeta } from "../snapshot.ts";
import { readTextColumn } from "./columns.ts";
import { throwSnapshotCorrupt } from "./corrupt.ts";
import { isStrictlyAscending } from "./meta.ts";
import type { SnapshotFileView } from "./sections.ts";

/** A snapshot that is opened, as far as a coverage needs it. */
export interface OpenedPieces {
  readonly file: SnapshotFileView;
  readonly snapshot: Snapshot;
}

/**
 * Checks the manifest's coverage as far as that is possible without the pieces.
 *
 * @param outer the snapshot in which this one holds the pieces, if it does
 * @returns whether there are pieces to read
 */
export function checkCoverageDeclaration(
  file: SnapshotFileView,
  { manifest }: SnapshotMeta,
  outer: SnapshotFileView | undefined,
): boolean {
  const { coverage, coverage_known: known } = manifest;
  const { name, kind } = file;
  if (coverage !== undefined && kind !== "leaf") {
    throwSnapshotCorrupt("coverage.foreign", name, "META", `a coverage of a ${kind}`, "none");
  }
  if (coverage !== undefined && outer !== undefined) {
    throwSnapshotCorrupt("coverage.nested", name, "META", "a coverage of a coverage's pieces", "none");
  }
  const expected = coverage === undefined ? [undefined] : KNOWN[typeof coverage === "string" ? "one" : "any"];
  if (!expected.includes(known)) {
    throwSnapshotCorrupt(
      "coverage.known",
      name,
      "META",
      `a coverage known as ${known}`,
      expected.join(" or "),
    );
  }
  if (typeof coverage === "object" && !isStrictlyAscending(coverage)) {
    const found = `countries ${coverage.slice(0, 8).join(", ")}`;
    throwSnapshotCorrupt("coverage.countries", name, "META", found, "each country once, in ascending order");
  }
  return coverage !== undefined && coverage !== "global";
}

/** How a coverage may be known: one of countries in any way, others only by declaration in the manifest. */
const KNOWN: Readonly<Record<"one" | "any", readonly (string | undefined)[]>> = {
  one: ["declared"],
  any: ["declared", "derived"],
};

/** The coverage of an area source, its pieces in place. */
export function readCoverage(
  { manifest }: SnapshotMeta,
  pieces: OpenedPieces | undefined,
): Exclude<Coverage, CellCoverage> {
  const { coverage, coverage_known: known = "declared" } = manifest;
  if (coverage === undefined) return { extent: "undeclared" };
  if (coverage === "global" || pieces === undefined) return { extent: "global", known: "declared" };
  if (coverage === "polygons") {
    return { extent: "polygons", known: "declared", pieces: readCoveragePieces(pieces, false) };
  }
  const read = readCoveragePieces(pieces);
  // Pieces share their lists, which are far fewer.
  const countries = new Set([...new Set(read.countries)].flat());
  const missing = coverage.find((code) => !countries.has(code));
  if (missing !== undefined) {
    const { name } = pieces.file;
    throwSnapshotCorrupt(
      "coverage.absent",
      name,
      "COLUMN 0",
      `no piece of ${missing}`,
      "a piece of each country",
    );
  }
  return { extent: "countries", known, countries: coverage, pieces: read };
}

/** The pieces that a snapshot holds, in place. */
export function readCoveragePieces({ file, snapshot }: OpenedPieces, byCountry = true): CoveragePieces {
  if (snapshot.kind !== "leaf" || file.isRaster) {
    const found = file.isRaster ? "a raster" : "a register";
    return throwSnapshotCorrupt("coverage.kind", file.name, "header", found, "areas");
  }
  const { meta, layer } = snapshot as AreaSnapshot;
  if (layer.areaCount === 0)
    throwSnapshotCorrupt("coverage.empty", file.name, "header", "no pieces", "at least one");
  const found = JSON.stringify(meta.manifest.columns ?? {}).slice(0, 80);
  const expected = byCountry ? PIECE_COLUMNS : "{}";
  if (found !== expected)
    throwSnapshotCorrupt("coverage.columns", file.name, "META", `the columns ${found}`, expected);
  if (byCountry) return { layer, countries: readPieceCountries(file, layer.areaCount) };
  const none: readonly string[] = [];
  return { layer, countries: Array.from({ length: layer.areaCount }, () => none) };
}

const PIECE_COLUMNS = JSON.stringify({ [PIECE_COUNTRIES_COLUMN]: "string" });

/** The countries of each piece. Each text is taken apart once, however many pieces have it. */
function readPieceCountries(file: SnapshotFileView, pieceCount: number): (readonly string[])[] {
  const column = readTextColumn(file, FIRST_COLUMN_SECTION, pieceCount);
  const lists = Array.from({ length: column.entries.count }, (_, i) => {
    const text = column.entries.text(i);
    const codes = text === "" ? [] : text.split(",");
    if (!codes.every((code) => /^[A-Z]{3}$/.test(code)) || !isStrictlyAscending(codes)) {
      const found = JSON.stringify(text.slice(0, 40));
      throwSnapshotCorrupt(
        "coverage.codes",
        file.name,
        "COLUMN 0",
        found,
        "ascending codes joined by commas",
      );
    }
    return codes;
  });
  return Array.from({ length: pieceCount }, (_, piece) => {
    const list = lists[column.entryOf(piece)];
    return (
      list ??
      throwSnapshotCorrupt("coverage.null", file.name, "COLUMN 0", `null for piece ${piece}`, "a text")
    );
  });
}
