import type { CellsManifest } from "@groundrule/engine";
import { createIngestError, IngestError } from "../ingest-error.ts";
import type { Findings } from "./band-reader.ts";
import type { Granule, Lying } from "./granule.ts";

/**
 * Checks what was found in the cells of files against their manifest.
 *
 * Fails: `NODATA_UNREPEATED`, `VALUE_UNNAMED`.
 */
export function checkCellValues(
  granules: readonly Lying<Granule>[],
  { nodata_tag }: CellsManifest,
  { unsaidMasked }: Findings,
): void {
  const counted = granules.map(({ of }) => ({ of, ...of.counts.findings() }));
  for (const { of, contradicted, nodata } of counted) {
    if (contradicted === 0 || nodata_tag === "ignored") continue;
    const found = `${contradicted} cells of the value ${of.nodataText}, which the file is tagged with as nodata, and ${nodata} of the values that the manifest calls nodata`;
    const mend = `name the value among "nodata", or say "nodata_tag" in cells of the manifest: "nodata" if the tag is right, "ignored" if it is wrong`;
    throw createIngestError("NODATA_UNREPEATED", found, "them to agree", { place: { entry: of.name }, mend });
  }
  if (unsaidMasked > 0) {
    const found = `masks of the files that hide ${unsaidMasked} cells, of which the manifest calls none nodata`;
    const expected = `"file_mask": "nodata", or "ignored" if they are wrong, in cells of the manifest`;
    throw createIngestError("NODATA_UNREPEATED", found, expected);
  }
  const cells = counted.reduce((sum, { unnamed }) => sum + unnamed, 0);
  if (cells === 0) return;
  const values = new Map<number, number>();
  for (const { unnamedValues } of counted) {
    for (const [value, count] of unnamedValues) values.set(value, (values.get(value) ?? 0) + count);
  }
  const shown = [...values].slice(0, SHOWN);
  const rest = cells - shown.reduce((sum, [, count]) => sum + count, 0);
  const listed = shown.map(([value, count]) => `${value} in ${count} cells`);
  const more = rest > 0 ? ` and others in ${rest} cells` : "";
  const found = `values that cells of the manifest does not name: ${listed.join(", ")}${more}`;
  const expected = "each among values, background or nodata";
  const mend = `to list all that occur: groundrule snapshot inspect ${granules[0]!.of.name}`;
  throw new IngestError("VALUE_UNNAMED", `found ${found}; expected ${expected}; ${mend}`, {
    found,
    expected,
  });
}

/** Most values that the message lists. */
const SHOWN = 12;
