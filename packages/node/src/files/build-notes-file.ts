import {
  checkShape,
  instantShape,
  number,
  object,
  optional,
  record,
  type Shape,
  text,
} from "@groundrule/engine/internal";
import { parseStrictJson } from "@groundrule/engine/internal/json";

/** The build's report about an edition apart from its content; stored in a separate file next to the snapshot. */
export interface BuildNotes {
  /** Number of features or rows of the source that could not be stored; absent: unknown. */
  readonly left_out?: number | undefined;
  /** The instant of the build, ISO 8601 UTC. */
  readonly built_at?: string;
  /** Number of features or rows of the source. */
  readonly read?: number;
  /** Number of a register's rows with an identifier of a scheme with a known form. */
  readonly identifiers?: number;
  /** Number of these rows that violate their scheme. */
  readonly malformed?: number;
  /** For areas: the sum of their square metres; land that two of them share counts twice. */
  readonly square_meters?: number;
  /** For each column, the number of areas or records with a value in it. */
  readonly filled?: Readonly<Record<string, number>>;
  /** The file from which the edition was built. */
  readonly origin?: EditionOrigin;
}

/** The file from which an edition was built, as its publisher and its bytes identify it. */
export interface EditionOrigin {
  /** Its download address; absent: it was on this machine. */
  readonly url?: string | undefined;
  /** The publisher's validator, unchanged. */
  readonly etag?: string | undefined;
  /** The publisher's value, unchanged. */
  readonly last_modified?: string | undefined;
  /** Digest of the file, 64 hex digits. */
  readonly sha256?: string | undefined;
  /** Size of the file. */
  readonly bytes?: number | undefined;
}

/**
 * Parses the file of notes next to a snapshot; undefined if it is invalid.
 *
 * @param bytes of the file
 */
export function parseBuildNotes(bytes: Uint8Array): BuildNotes | undefined {
  return parseNotesOrFault(bytes).notes;
}

/** The fault of a file of notes; undefined if it has none. */
export function findNotesFault(bytes: Uint8Array): string | undefined {
  return parseNotesOrFault(bytes).fault;
}

function parseNotesOrFault(bytes: Uint8Array): { readonly notes?: BuildNotes; readonly fault?: string } {
  try {
    const checked = checkShape(notesShape, parseStrictJson(bytes), { unknownMembers: "kept" });
    if (checked.faults === undefined) return { notes: checked.value };
    const [{ pointer, message }] = checked.faults;
    return { fault: `at "${pointer}": ${message}` };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

const notesShape: Shape<BuildNotes> = object<BuildNotes>({
  left_out: optional(number({ whole: true, min: 0 })),
  built_at: optional(instantShape),
  read: optional(number({ whole: true, min: 0 })),
  identifiers: optional(number({ whole: true, min: 0 })),
  malformed: optional(number({ whole: true, min: 0 })),
  square_meters: optional(number({ min: 0 })),
  filled: optional(record(text(), number({ whole: true, min: 0 }))),
  origin: optional(
    object<EditionOrigin>({
      url: optional(text()),
      etag: optional(text()),
      last_modified: optional(text()),
      sha256: optional(text({ pattern: /^[0-9a-f]{64}$/, words: "the 64 hex digits of a digest" })),
      bytes: optional(number({ whole: true, min: 0 })),
    }),
  ),
});
