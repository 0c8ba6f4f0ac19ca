import { EngineError, type Fault } from "./errors.ts";
import { escapePointer } from "./json-pointer.ts";
import { suggestion } from "./nearest-name.ts";

/** What a member may be. */
export interface MemberKind {
  readonly is: (value: unknown) => boolean;
  /** Ends the sentence "expected …". */
  readonly expected: string;
  readonly isRequired?: true;
}

/** The kind of every member that a type has. */
export type MemberKinds<T> = { readonly [Name in keyof Required<T>]: MemberKind };

/**
 * Reads an object that a caller wrote, each member once, into one of its own. A member that is undefined
 * is absent.
 *
 * @param what names the members in errors, such as `option`
 * @param pointer JSON pointer of the object
 * Fails: `VALIDATION_FAILED` with every fault (at most 100): a member that nobody knows, with the
 *   known name it most resembles; one of another kind; one that is missing.
 */
export function readMembers<T extends object>(
  given: unknown,
  kinds: MemberKinds<T>,
  what: string,
  pointer = "",
): T {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw invalid([
      fault(pointer, "TYPE_MISMATCH", `found ${nameOfKind(given)}, expected an object of ${what}s`),
    ]);
  }
  const faults: Fault[] = [];
  const known = Object.keys(kinds);
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const meant = suggestion(name, known);
    const message = `found ${what} ${JSON.stringify(name)}${meant === "" ? `, expected one of ${known.join(", ")}` : meant}`;
    faults.push(fault(`${pointer}/${escapePointer(name)}`, "MEMBER_UNKNOWN", message));
    if (faults.length === FAULTS_TOLD) throw invalid(faults);
  }
  const read: Record<string, unknown> = {};
  for (const [name, { is, expected, isRequired }] of Object.entries<MemberKind>(kinds)) {
    const value = (given as Readonly<Record<string, unknown>>)[name];
    const at = `${pointer}/${name}`;
    if (value === undefined) {
      if (isRequired)
        faults.push(fault(at, "MEMBER_MISSING", `${what} ${name} is missing, expected ${expected}`));
    } else if (!is(value)) {
      faults.push(
        fault(at, "TYPE_MISMATCH", `found ${nameOfKind(value)} as ${what} ${name}, expected ${expected}`),
      );
    } else read[name] = value;
  }
  if (faults.length > 0) throw invalid(faults);
  return read as T;
}

const FAULTS_TOLD = 100;

/** Kinds that many members share. */
export const KIND: Readonly<
  Record<"text" | "texts" | "number" | "count" | "function" | "object" | "anything", MemberKind>
> = {
  text: { is: (value) => typeof value === "string", expected: "a string" },
  texts: {
    is: (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
    expected: "an array of strings",
  },
  number: { is: (value) => typeof value === "number", expected: "a number" },
  count: {
    is: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
    expected: "a whole number, 0 or more",
  },
  function: { is: (value) => typeof value === "function", expected: "a function" },
  object: { is: (value) => typeof value === "object" && value !== null, expected: "an object" },
  anything: { is: () => true, expected: "a value" },
};

/** One of a few words. */
export function oneOf(...words: readonly string[]): MemberKind {
  const quoted = words.map((word) => `"${word}"`);
  return { is: (value) => words.includes(value as string), expected: quoted.join(" or ") };
}

/** What kind of thing a value is, as a sentence says it. */
export function nameOfKind(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value !== "object") return `a ${typeof value}`;
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  return tag === "Object"
    ? "an object"
    : `${/^[AEIOU]/.test(tag) && !tag.startsWith("Ui") ? "an" : "a"} ${tag}`;
}

function fault(pointer: string, code: string, message: string): Fault {
  return { pointer, code, message };
}

function invalid(faults: readonly Fault[]): EngineError {
  const more = faults.length === 1 ? "" : ` (and ${faults.length - 1} more)`;
  return new EngineError("VALIDATION_FAILED", `${faults[0]!.message}${more}`, { faults });
}
