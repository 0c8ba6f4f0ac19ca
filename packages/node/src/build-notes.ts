import { readFileSync } from "node:fs";
import { parseStrictJson } from "@groundrule/engine";
import * as z from "zod";
import { editionPath } from "./catalog.ts";
import { writeDurably } from "./durable-file.ts";

/** What a build tells of an edition beside its content; kept in a file of its own beside the snapshot. */
export interface BuildNotes {
  /** Features or rows of the source that could not be stored. */
  readonly left_out: number;
  /** The instant of the build, ISO 8601 UTC. */
  readonly built_at?: string;
}

/** Where the notes of a snapshot file are. */
function notesPath(snapshotPath: string): string {
  return snapshotPath.replace(/\.snapshot$/, ".build.json");
}

/** Callers hold the data folder's write lock. */
export function writeBuildNotes(
  dir: string,
  sourceName: string,
  edition: string,
  { left_out, built_at }: BuildNotes,
): void {
  const text = `${JSON.stringify({ left_out, built_at })}\n`;
  writeDurably(notesPath(editionPath(dir, sourceName, edition)), [new TextEncoder().encode(text)]);
}

/** The notes beside a snapshot; undefined where there are none, as of editions that older releases built. */
export function readBuildNotes(snapshotPath: string): BuildNotes | undefined {
  try {
    return notesSchema.safeParse(parseStrictJson(readFileSync(notesPath(snapshotPath)))).data;
  } catch {
    return undefined;
  }
}

const notesSchema: z.ZodType<BuildNotes> = z.looseObject({
  left_out: z.int().nonnegative(),
  built_at: z.iso.datetime().exactOptional(),
});
