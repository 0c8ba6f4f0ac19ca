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

/** What a build reports about an edition besides its content; stored in a file of its own beside the snapshot. */
export interface BuildNotes {
  /** Features or rows of the source that could not be stored; absent: not known. */
  readonly left_out?: number | undefined;
  /** The instant of the build, ISO 8601 UTC. */
  readonly built_at?: string;
  /** Features or rows of the source. */
  readonly read?: number;
  /** Rows of a register with an identifier of a scheme whose form is known. */
  readonly identifiers?: number;
  /** The number of them with something that their scheme excludes. */
  readonly malformed?: number;
  /** Of areas: the sum of their square metres; what two of them share is counted twice. */
  readonly square_meters?: number;
  /** For each column, how many areas or records have a value in it. */
  readonly filled?: Readonly<Record<string, number>>;
  /** The file from which the edition was built. */
  readonly origin?: EditionOrigin;
}

/** The file from which an edition was built, as its publisher and its bytes identify it. */
export interface EditionOrigin {
  /** Where it was downloaded from; absent: it lay on this machine. */
  readonly url?: string | undefined;
  /** The publisher's validator, as it was sent. */
  readonly etag?: string | undefined;
  /** As the publisher sent it. */
  readonly last_modified?: string | undefined;
  /** Of the file, 64 hex digits. */
  readonly sha256?: string | undefined;
  /** Size of the file. */
  readonly bytes?: number | undefined;
}

/**
 * Reads the file of notes that stands beside a snapshot; undefined where it is none.
 *
 * @param bytes of the file
 */
export function parseBuildNotes(bytes: Uint8Array): BuildNotes | undefined {
  return readNotes(bytes).notes;
}

/** The fault of a file of notes; undefined where it has none. */
export function faultInNotes(bytes: Uint8Array): string | undefined {
  return readNotes(bytes).fault;
}

function readNotes(bytes: Uint8Array): { readonly notes?: BuildNotes; readonly fault?: string } {
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
