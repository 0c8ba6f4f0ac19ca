import { checkStrictJson } from "../../base/strict-json.ts";
import { decodeUtf8 } from "../../base/utf8.ts";
import { checkShape } from "../../shape/check-shape.ts";
import { LEFT_OUT_VERSION, MAX_META_BYTES, SECTION } from "../format.ts";
import { isLeftOutBox } from "../left-out.ts";
import { snapshotMetaShape } from "../meta-shape.ts";
import type { SnapshotMeta } from "../snapshot.ts";
import { createSectionRefuse, type Refuse, throwSnapshotCorrupt } from "./corrupt.ts";
import { type SnapshotFileView, viewSection } from "./sections.ts";
import type { StoredTexts } from "./stored-columns.ts";

/** Reads the META section and checks it against the header. */
export function readSnapshotMeta(file: SnapshotFileView): SnapshotMeta {
  const { counts, kind } = file;
  const refuse: Refuse = createSectionRefuse(file.name, "META");
  const bytes = viewSection(file, SECTION.META);
  if (bytes.length > MAX_META_BYTES) {
    refuse("meta.size", `${bytes.length} bytes`, `at most ${MAX_META_BYTES}`);
  }
  const checked = checkShape(snapshotMetaShape, parseMetaJson(bytes));
  if (checked.faults !== undefined) {
    const [{ pointer, message }] = checked.faults;
    refuse("meta.schema", `a fault at "${pointer}" (${message})`, "none");
  }
  const meta = checked.value;
  if (meta.manifest.kind !== kind) {
    refuse("meta.kind", `kind ${meta.manifest.kind}`, `kind ${kind}, as in the header`);
  }
  if (meta.feature_count !== counts.rowCount) {
    refuse("meta.featureCount", `${meta.feature_count} features`, `${counts.rowCount}, as in the header`);
  }
  const columnCount = Object.keys(meta.manifest.columns ?? {}).length;
  if (columnCount !== counts.columnCount) {
    refuse("meta.columns", `${columnCount} columns`, `${counts.columnCount}, as in the header`);
  }
  if (kind === "leaf" ? meta.schemes.length > 0 : !isStrictlyAscending(meta.schemes)) {
    const expected = kind === "leaf" ? "no schemes for areas" : "each scheme once, in ascending order";
    refuse("meta.schemes", `schemes ${meta.schemes.slice(0, 8).join(", ")}`, expected);
  }
  const { left_out: boxes = [] } = meta;
  if (boxes.length > 0 && (kind !== "leaf" || file.isRaster || file.version < LEFT_OUT_VERSION)) {
    refuse("meta.leftOut", "left_out", `none but in areas of version ${LEFT_OUT_VERSION}`);
  }
  const wrong = boxes.find((box) => !isLeftOutBox(box));
  if (wrong !== undefined) refuse("meta.leftOutBox", `left_out [${wrong.join(", ")}]`, "a box and a number");
  return meta;
}

/** Undefined where the bytes are no JSON, or could be read in two ways; no schema takes that. */
function parseMetaJson(bytes: Uint8Array): unknown {
  try {
    // The careful scan alone: META is small, and the quick one would weigh more here than it saves.
    checkStrictJson(bytes, { exact: false });
    return JSON.parse(decodeUtf8(bytes, 0, bytes.length));
  } catch {
    return undefined;
  }
}

export function isStrictlyAscending(texts: readonly string[]): boolean {
  return texts.every((text, i) => i === 0 || texts[i - 1]! < text);
}

/** The countries that META names are those of the areas; `countries` is absent for registers. */
export function checkMetaCountries(
  file: SnapshotFileView,
  meta: SnapshotMeta,
  countries: StoredTexts | undefined,
): void {
  const occurring = new Set<string>();
  for (let i = 0; i < (countries?.count ?? 0); i++) occurring.add(countries!.text(i));
  const expected = [...occurring].sort();
  const found = meta.country_coverage;
  if (found.length !== expected.length || found.some((code, i) => code !== expected[i])) {
    const shown = expected.slice(0, 8).join(", ");
    throwSnapshotCorrupt(
      "meta.countries",
      file.name,
      "META",
      `coverage ${found.slice(0, 8).join(", ")}`,
      `${shown}`,
    );
  }
}
