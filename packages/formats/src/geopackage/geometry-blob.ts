import { viewOf } from "../file/file-window.ts";
import { damaged, FormatError } from "../format-error.ts";
import { readWkb } from "../wkb/read-wkb.ts";

/** Bytes of the header before the envelope. */
const HEADER_BYTES = 8;
/** Bytes of the envelope by its kind: none, xy, xyz, xym, xyzm. */
const ENVELOPE_BYTES = [0, 32, 48, 48, 64];

/**
 * Reads a geometry as a GeoPackage stores it: a header, then well-known binary.
 *
 * @param srsId of the layer; a geometry of another CRS is refused, 0 and −1 are none
 *
 * Fails: `FILE_DAMAGED`; `FORMAT_UNSUPPORTED` for extended types and what {@link readWkb} refuses; `CRS_UNSUPPORTED`.
 * Source: OGC 12-128r18, section 2.1.3.
 */
export function readGeometryBlob(blob: Uint8Array, srsId: number): unknown {
  if (blob.length < HEADER_BYTES)
    throw damaged(`${blob.length} bytes`, `a header of ${HEADER_BYTES} bytes`, { byte: 0 });
  if (blob[0] !== 0x47 || blob[1] !== 0x50)
    throw damaged(`the bytes ${hex(blob[0]!)} ${hex(blob[1]!)}`, 'the bytes 47 50 ("GP")', { byte: 0 });
  if (blob[2] !== 0) throw damaged(`version ${blob[2]} of the geometry's header`, "version 0", { byte: 2 });
  const flags = blob[3]!;
  if ((flags & 0x20) !== 0) {
    throw new FormatError("FORMAT_UNSUPPORTED", "found an extended geometry type, expected a standard one", {
      found: "an extended geometry type",
      expected: "a standard geometry type",
    });
  }
  const kind = (flags >> 1) & 7;
  const envelope = ENVELOPE_BYTES[kind];
  if (envelope === undefined) throw damaged(`an envelope of kind ${kind}`, "0 to 4", { byte: 3 });
  const start = HEADER_BYTES + envelope;
  if (start > blob.length) throw damaged(`${blob.length} bytes`, `a header of ${start} bytes`, { byte: 0 });
  const view = viewOf(blob);
  const ownSrsId = view.getInt32(4, (flags & 1) === 1);
  if (ownSrsId > 0 && ownSrsId !== srsId) {
    const details = { found: `srs_id ${ownSrsId}`, expected: `srs_id ${srsId}, as the layer says` };
    const message = `found a geometry of srs_id ${ownSrsId} in a layer of ${srsId}`;
    throw new FormatError("CRS_UNSUPPORTED", message, details);
  }
  return readWkb(blob, start);
}

/** `[minX, minY, maxX, maxY]` in the header of a geometry of a type that is not read; undefined where it has none. */
export function readEnvelope(blob: Uint8Array): [number, number, number, number] | undefined {
  if (blob.length < HEADER_BYTES + 32 || ((blob[3]! >> 1) & 7) === 0) return undefined;
  const view = viewOf(blob);
  const isLittle = (blob[3]! & 1) === 1;
  const [minX, maxX, minY, maxY] = [0, 1, 2, 3].map((i) => view.getFloat64(HEADER_BYTES + 8 * i, isLittle));
  const box: [number, number, number, number] = [minX!, minY!, maxX!, maxY!];
  return box.every(Number.isFinite) && minX! <= maxX! && minY! <= maxY! ? box : undefined;
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}
