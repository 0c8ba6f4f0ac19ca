import { listSiblings } from "#host/files";
import type { LocalFile } from "../file/local-file.ts";
import { FormatError } from "../format-error.ts";
import { type FormatLimits, resolveFormatLimits } from "../limits.ts";
import { openZipArchive, type ZipArchive } from "../zip/open-zip.ts";
import { unpackEntryToFile } from "../zip/unpack-entry.ts";

/** The files of one shapefile. */
export interface Members {
  /** Their common name. */
  readonly layer: string;
  readonly isPacked: boolean;
  /** True if they are not those of the file that was opened. */
  readonly isOther?: boolean;
  /** Opens the file with this ending (`.dbf`), whatever the case of its letters; undefined where there is none. */
  open(ending: string): Promise<LocalFile | undefined>;
}

/** The files next to a `.shp`, or those of another shapefile in its folder. */
export async function findShapefileMembers(
  shp: LocalFile,
  wanted?: string,
): Promise<Members & { readonly isOther: boolean }> {
  const own = removeFileEnding(getBaseName(shp.path || shp.name));
  const { names, open } = await listSiblings(shp);
  const isOther =
    wanted !== undefined && wanted !== own && findMemberName(names, wanted, ".shp") !== undefined;
  const layer = isOther ? wanted : own;
  return {
    layer,
    isOther,
    isPacked: false,
    open: async (ending) => {
      const name = findMemberName(names, layer, ending);
      return name === undefined ? undefined : open(name);
    },
  };
}

/**
 * The files of the one shapefile in a zip archive, or of the one that is named.
 *
 * Fails: as `openZipArchive`; `LAYER_AMBIGUOUS`, `LAYER_UNKNOWN`; `ARCHIVE_INVALID` where there is none.
 */
export async function openZipMembers(
  file: LocalFile,
  options: { readonly layer?: string | undefined; readonly limits?: Partial<FormatLimits> | undefined },
): Promise<Members> {
  const archive = await openZipArchive(file, { limits: options.limits });
  const stem = selectShapefileStem(archive, options.layer);
  const byName = new Map(archive.entries.map((entry) => [entry.name, entry]));
  return {
    layer: getBaseName(stem),
    isPacked: true,
    open: async (ending) => {
      const name = findMemberName([...byName.keys()], stem, ending);
      return name === undefined
        ? undefined
        : unpackEntryToFile(archive, byName.get(name)!, resolveFormatLimits(options).unpackedBytes);
    },
  };
}

/** The path of the chosen `.shp`, without its ending. */
function selectShapefileStem(archive: ZipArchive, wanted: string | undefined): string {
  const stems = archive.entries
    .filter(({ name }) => /\.shp$/i.test(name))
    .map(({ name }) => removeFileEnding(name));
  const found = stems.map((stem) => getBaseName(stem));
  // If two have the same name, the path distinguishes them.
  const names = new Set(found).size === found.length ? found : stems;
  if (stems.length === 0) {
    throw new FormatError("ARCHIVE_INVALID", "found no .shp in the archive, expected a shapefile", {
      found: "no .shp",
      expected: "a shapefile",
    });
  }
  if (wanted === undefined && stems.length === 1) return stems[0]!;
  const matches = stems.filter((stem, i) => stem === wanted || names[i] === wanted || found[i] === wanted);
  if (matches.length === 1) return matches[0]!;
  const isUnknown = wanted !== undefined && matches.length === 0;
  const message = isUnknown
    ? `found no layer "${wanted}", expected one of ${names.join(", ")}`
    : `found ${stems.length} layers, expected one to be named (--layer): ${names.join(", ")}`;
  throw new FormatError(isUnknown ? "LAYER_UNKNOWN" : "LAYER_AMBIGUOUS", message, {
    found: isUnknown ? `no layer "${wanted}"` : `${stems.length} layers`,
    expected: "one layer",
    layers: names,
  });
}

/** By its exact name, else whatever the case of its letters. */
function findMemberName(names: readonly string[], stem: string, ending: string): string | undefined {
  const wanted = `${stem}${ending}`;
  if (names.includes(wanted)) return wanted;
  const same = wanted.toLowerCase();
  return [...names].sort().find((name) => name.toLowerCase() === same);
}

/** The text after the last slash; Windows writes backslashes. */
function getBaseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

function removeFileEnding(name: string): string {
  return name.replace(/\.[^./]*$/, "");
}
