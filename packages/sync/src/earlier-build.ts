import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openEngine } from "@groundrule/engine";
import { canonicalJson } from "@groundrule/engine/records";
import type { KeepOptions, Source } from "@groundrule/ingest";
import type { Guard } from "@groundrule/node";
import {
  type EditionOrigin,
  formatEditionPath,
  readBuildNotes,
  readCatalogOrEmpty,
} from "@groundrule/node/internal";
import type { AcquiredFiles } from "./download/acquire-files.ts";
import type { DownloadFolder } from "./download/download-folder.ts";
import { createPinnedReason, listGuardReasons, type SyncOutcome } from "./outcome.ts";

/** Origin of an edition that a sync writes into its notes. */
export interface SyncOrigin extends EditionOrigin {
  /** The publisher's SHA-256 that the file was compared with. */
  readonly checksum?: string | undefined;
  /** The digest of all that the edition depends on besides its file. */
  readonly recipe?: string;
}

/** The current edition of a source, and what it was built from. */
export interface CurrentBuild {
  readonly edition: string;
  readonly areas: number;
  readonly origin: SyncOrigin;
}

/** The current edition of a source with the notes beside it; undefined if there is none. */
export function findCurrentBuild(dir: string, name: string): CurrentBuild | undefined {
  const meta = readCatalogOrEmpty(dir).sources.find(({ manifest }) => manifest.source_name === name);
  if (meta === undefined) return undefined;
  const path = formatEditionPath(dir, name, meta.edition);
  if (!existsSync(path)) return undefined;
  const origin: SyncOrigin = readBuildNotes(path)?.origin ?? {};
  return { origin, edition: meta.edition, areas: meta.feature_count };
}

/** Recipe and file for which an earlier build is sought. */
export interface EarlierQuestion {
  readonly dir: string;
  readonly name: string;
  readonly folder: DownloadFolder;
  readonly current: CurrentBuild | undefined;
  readonly acquired: AcquiredFiles;
  readonly recipe: string;
  readonly allow: readonly Guard[];
}

/** Outcome of an earlier build of the same file by the same recipe; undefined if another build is needed. */
export function findEarlierOutcome(
  question: EarlierQuestion,
): Omit<SyncOutcome, "source_name" | "seconds"> | undefined {
  const { dir, name, folder, current, acquired, recipe, allow } = question;
  const bytes = acquired.fetched;
  if (current?.origin.sha256 === acquired.sha256 && current.origin.recipe === recipe) {
    return { outcome: "unchanged", edition: current.edition, areas: current.areas, bytes };
  }
  const built = folder.built();
  if (built?.sha256 !== acquired.sha256 || built.recipe !== recipe) return undefined;
  if (!existsSync(formatEditionPath(dir, name, built.edition))) return undefined;
  const { edition, findings } = built;
  // Another program built the current edition: its manifest may be different.
  if (edition === current?.edition) return undefined;
  const left = findings.filter(({ guard }) => !allow.includes(guard));
  if (left.length > 0) return { outcome: "refused", edition, bytes, reasons: listGuardReasons(left) };
  const pin = readCatalogOrEmpty(dir).pins.find(({ source_name }) => source_name === name);
  if (pin === undefined || findings.length > 0) return undefined;
  return { outcome: "pinned", edition, bytes, reasons: [createPinnedReason(pin.edition)] };
}

/** Raised when a build of the same file by the same manifest has another result, under the same semantics. */
const RECIPE = 1;

/**
 * The digest of all that an edition depends on besides its file: the manifest, how the file is read, which land of a
 * raster is kept, the polygons that the manifest names, and the semantics under which areas are repaired and measured.
 */
export function computeRecipeDigest({ manifest, read }: Source, folder: string, keep?: KeepOptions): string {
  const { semantics } = openEngine([]);
  const kept = keep !== undefined && manifest.cells !== undefined && { keep };
  const recipe = canonicalJson({ recipe: RECIPE, semantics, manifest, read: read ?? {}, ...kept });
  const hash = createHash("sha256").update(recipe);
  const { coverage } = manifest;
  if (typeof coverage === "object" && "polygons" in coverage) {
    hash.update(readFileSync(join(folder, coverage.polygons)));
  }
  return hash.digest("hex");
}
