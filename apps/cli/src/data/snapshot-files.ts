import { existsSync, statSync } from "node:fs";
import { DataError } from "@groundrule/node";
import {
  formatEditionPath,
  readCatalog,
  readCatalogOrEmpty,
  readEditionFile,
} from "@groundrule/node/internal";
import type { Arguments } from "../command-line/arguments.ts";
import { InputFileError, toReadError } from "../files/input-file.ts";
import { getDataFolder } from "./data-folder.ts";

/** A snapshot named on the command line. */
export interface SnapshotPath {
  /** Its name in messages: the source, otherwise the file. */
  readonly label: string;
  readonly path: string;
}

/**
 * The snapshot files that operands name: each a file, or a source of the data folder, of which the current edition is
 * taken. Without operands, every current edition.
 *
 * Fails: {@link InputFileError} for an operand that is neither.
 */
export function listSnapshotPaths(args: Arguments): SnapshotPath[] {
  const dir = getDataFolder(args);
  const operands = args.operands;
  if (operands.length === 0) return listCurrentEditions(dir);
  return operands.map((operand) => {
    if (statSync(operand, { throwIfNoEntry: false })?.isFile()) return { label: operand, path: operand };
    const source = listCurrentEditionsOrNone(dir).find(({ label }) => label === operand);
    if (source !== undefined) return source;
    throw new InputFileError(`"${operand}" is neither a file nor a source of ${dir}`);
  });
}

/** Fails: {@link InputFileError}. */
export function readSnapshotBytes(path: string): ReturnType<typeof readEditionFile> {
  try {
    return readEditionFile(path);
  } catch (error) {
    throw toReadError(error, path);
  }
}

function listCurrentEditions(dir: string): SnapshotPath[] {
  return readCatalog(dir).sources.map(({ manifest: { source_name }, edition }) => ({
    label: source_name,
    path: formatEditionPath(dir, source_name, edition),
  }));
}

function listCurrentEditionsOrNone(dir: string): SnapshotPath[] {
  try {
    return listCurrentEditions(dir);
  } catch (error) {
    if (error instanceof DataError && error.code === "DATA_FOLDER_MISSING") return [];
    throw error;
  }
}

/** A source's members in the data folder that answers do not contain. */
interface StoredPart {
  readonly edition: string;
  readonly is_pinned: boolean;
  /** The reason why it cannot answer, as far as its file shows. */
  readonly failed?: string;
}

/** Stored members by source name; groups and live sources have no edition. */
export function readStoredParts(dir: string): Map<string, StoredPart> {
  const { sources, pins } = readCatalogOrEmpty(dir);
  return new Map(
    sources.map(({ manifest: { source_name }, edition }) => {
      const is_pinned = pins.some((pin) => pin.source_name === source_name);
      const isThere = existsSync(formatEditionPath(dir, source_name, edition));
      const failed = isThere ? {} : { failed: "the file of its edition is missing" };
      return [source_name, { edition, is_pinned, ...failed }];
    }),
  );
}
