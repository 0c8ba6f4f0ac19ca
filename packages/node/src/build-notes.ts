import { readFileSync } from "node:fs";
import { parseStrictJson } from "@groundrule/engine/json";
import { checkShape, instantShape, number, object, optional, type Shape } from "@groundrule/engine/shapes";
import { editionPath } from "./catalog.ts";
import { writeDurably } from "./durable-file.ts";

/** What a build reports about an edition besides its content; stored in a file of its own beside the snapshot. */
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
    const notes = parseStrictJson(readFileSync(notesPath(snapshotPath)));
    const checked = checkShape(notesShape, notes, { unknownMembers: "kept" });
    return checked.faults === undefined ? checked.value : undefined;
  } catch {
    return undefined;
  }
}

const notesShape: Shape<BuildNotes> = object<BuildNotes>({
  left_out: number({ whole: true, min: 0 }),
  built_at: optional(instantShape),
});
