import type { SourceKind } from "@groundrule/engine";
import { IngestError } from "./ingest-error.ts";

/**
 * Checks that a source's first bytes look like what its kind is read from: areas from GeoJSON,
 * registers from CSV. Tells other formats by name.
 *
 * Fails: `FORMAT_UNKNOWN`.
 */
export function checkFormat(first: Uint8Array, kind: SourceKind): void {
  const foreign = MAGICS.find(([magic]) => magic.every((byte, index) => first[index] === byte));
  if (foreign !== undefined) refuse(kind, foreign[1]);
  const text = new TextDecoder().decode(first).trimStart();
  if (text === "") return; // empty: the reader says so
  const json = ["{", "[", "\u001e"].includes(text[0]!);
  if (kind === "leaf" && text.startsWith("<")) refuse(kind, "XML (GML or KML?)");
  if (kind === "leaf" && !json) refuse(kind, `text that begins with ${JSON.stringify(text.slice(0, 24))}`);
  if (kind === "subject_register" && json) refuse(kind, "JSON");
}

const MAGICS: readonly (readonly [magic: readonly number[], name: string])[] = [
  [ascii("PK\x03\x04"), "a zip archive (a shapefile?)"],
  [ascii("SQLite format 3\0"), "a SQLite file (a GeoPackage?)"],
  [ascii("fgb"), "FlatGeobuf"],
  [ascii("PAR1"), "Parquet"],
  [[0x00, 0x00, 0x27, 0x0a], "a shapefile"],
  [[0xff, 0xfe], "UTF-16 text"],
  [[0xfe, 0xff], "UTF-16 text"],
];

function ascii(text: string): number[] {
  return [...text].map((character) => character.charCodeAt(0));
}

function refuse(kind: SourceKind, found: string): never {
  const expected = kind === "leaf" ? "GeoJSON in UTF-8 for a source of areas" : "CSV in UTF-8 for a register";
  const hint = kind === "leaf" ? "; ogr2ogr -f GeoJSONSeq -t_srs EPSG:4326 converts most formats" : "";
  throw new IngestError("FORMAT_UNKNOWN", `found ${found}, expected ${expected}${hint}`, { found, expected });
}
