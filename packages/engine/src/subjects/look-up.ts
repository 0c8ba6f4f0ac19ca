import { EngineError } from "../base/errors.ts";
import { formatSuggestion } from "../base/nearest-name.ts";
import { PatternMeter } from "../base/pattern-meter.ts";
import { mismatchError } from "../base/read-untrusted.ts";
import type { Warning } from "../geometry/plot/plot.ts";
import { canonicalizeValue } from "../snapshot/canonical-value.ts";
import { listDeclaredSchemes } from "../snapshot/manifest.ts";
import type { Identifier, RegisterSnapshot } from "../snapshot/snapshot.ts";
import { findFictionalWarnings } from "../sources/fictional.ts";
import { createSourceOutcome } from "../sources/source-outcome.ts";
import type { EngineSource, SourceTable } from "../sources/source-table.ts";
import type { Answer, SubjectMatch } from "../verdict/match.ts";
import { findOtherIdentifierTypes } from "./registered-elsewhere.ts";
import { CNPJ_ROOT_LENGTH, findSchemeFault, type SchemeFault } from "./scheme-fault.ts";
import { parseScheme, type RoleScheme, type Scheme } from "./schemes.ts";

/** Options of a look-up. */
export interface SubjectsOptions {
  /** Pin the look-up to one register. */
  readonly source?: string | undefined;
  /** `equals` (default): the same identifier; `ilike`: the value is a pattern with `%`, letter case does not matter. */
  readonly matchOp?: "equals" | "ilike" | undefined;
  /** Instant of the question, ISO 8601 UTC; only for `age_days`. */
  readonly now?: string | undefined;
}

/** The reason why a scheme excludes a value, and the value that would fit. */
export type MalformedValue = Pick<SchemeFault, "code" | "proposed">;

/** The records of registers under an identifier. */
export interface SubjectsAnswer extends Answer<SubjectMatch> {
  /** Set where the scheme excludes the value, so that an empty answer does not mean that the subject is on no list. */
  readonly malformed?: MalformedValue;
}

/** Most matches in an answer; if there are more, the answer states so. */
const SUBJECT_MATCH_LIMIT = 100;

/**
 * Looks a typed identifier up in one register or in all.
 *
 * `equals` compares canonical values. In `ilike`, `%` stands for any run of characters and what lies
 * between is canonicalised like a value. A value that its scheme excludes is looked up all the same, and the answer
 * says so (`malformed`).
 *
 * Fails: `VALIDATION_FAILED` for a malformed scheme, an empty value or an empty pattern;
 * `SOURCE_UNKNOWN` where the pinned source does not exist or is no register; `SCHEME_UNSUPPORTED`
 * where no register asked holds the scheme; `PATTERN_TOO_COMPLEX` where the look-up takes more work than is allowed.
 * A failed register is reported, not thrown.
 */
export function findSubjects(
  table: SourceTable,
  scheme: Scheme,
  options: SubjectsOptions = {},
): SubjectsAnswer {
  const { parsed: lookedUp, pattern, registers, warnings } = prepareLookUp(table, scheme, options);
  const pieces = pattern ?? [lookedUp.value];
  const meter = new PatternMeter();
  const matches: SubjectMatch[] = [];
  let truncated: boolean = false;
  const sources = registers.map((source) => {
    if (!isOpenRegister(source) || truncated) return createSourceOutcome(source, { matched: 0 }, options.now);
    const room = SUBJECT_MATCH_LIMIT - matches.length;
    // One more than there is room for shows that there are more.
    const found = source.snapshot.identifiers.findFirst(lookedUp.type, pieces, room + 1, meter);
    truncated = found.length > room;
    const taken = found.slice(0, room);
    for (const identifier of taken) matches.push(toSubjectMatch(source, identifier));
    return createSourceOutcome(source, { matched: taken.length }, options.now);
  });
  const doubts = [...warnings, ...findFictionalWarnings(registers)];
  const fault = pattern === undefined ? findSchemeFault(lookedUp) : undefined;
  return {
    matches,
    sources,
    warnings: doubts,
    ...(truncated ? { truncated } : {}),
    ...(fault && { malformed: toMalformedValue(fault) }),
  };
}

function toMalformedValue({ code, proposed }: SchemeFault): MalformedValue {
  return proposed === undefined ? { code } : { code, proposed };
}

/** Plan of a look-up. Fails as {@link findSubjects} does. */
export function prepareLookUp(
  table: SourceTable,
  scheme: Scheme,
  options: SubjectsOptions,
): {
  readonly parsed: RoleScheme;
  /** The canonical texts between the `%` of a pattern; absent for `equals`. */
  readonly pattern: readonly string[] | undefined;
  readonly registers: readonly EngineSource[];
  readonly warnings: readonly Warning[];
} {
  const { scheme: parsed, warnings } = parseScheme(scheme, "/scheme");
  const pattern = options.matchOp === "ilike" ? splitLikePattern(scheme.value) : undefined;
  const registers =
    options.source === undefined ? table.all("subject_register") : requireRegisters(table, options.source);
  requireKnownScheme(registers, parsed, pattern === undefined, options.source);
  return { parsed, pattern, registers, warnings: pattern === undefined ? warnings : [] };
}

/**
 * Identifiers of a register that a canonical identifier hits. With `root`, a `br:cnpj` hits all of
 * its company: those whose first 8 characters are the same. Other schemes have no root and are
 * compared whole, and so is a value too short to have one.
 */
export function findEqualIdentifiers(
  register: RegisterSnapshot,
  { type, value }: Scheme,
  match: "equals" | "root",
): Identifier[] {
  const hasRoot = match === "root" && type === "br:cnpj" && value.length >= CNPJ_ROOT_LENGTH;
  return hasRoot
    ? register.identifiers.findPrefix(type, value.slice(0, CNPJ_ROOT_LENGTH))
    : register.identifiers.find(type, value);
}

/**
 * True if a register may hold identifiers of a scheme. A failed register is judged by its manifest; if that does not
 * decide, the answer is true.
 */
export function sourceAcceptsScheme(source: EngineSource, type: string): boolean {
  if ("snapshot" in source && isOpenRegister(source) && source.snapshot.meta.schemes.includes(type))
    return true;
  const declared = listDeclaredSchemes(source.manifest);
  return declared.includes(type) || (!("snapshot" in source) && declared.length === 0);
}

/** The schemes of the registers that are open, ascending. */
export function listRegisterSchemes(registers: readonly EngineSource[]): string[] {
  const schemes = registers.flatMap((source) => (isOpenRegister(source) ? source.snapshot.meta.schemes : []));
  return [...new Set(schemes)].sort();
}

export type OpenRegister = Extract<EngineSource, { readonly snapshot: unknown }> & {
  readonly snapshot: RegisterSnapshot;
};

export function isOpenRegister(source: EngineSource): source is OpenRegister {
  return "snapshot" in source && source.snapshot.kind === "subject_register";
}

function requireRegisters(table: SourceTable, name: string): readonly EngineSource[] {
  const found = table.expand(name);
  const isGroup = found !== undefined && table.find(name) === undefined;
  if (
    found !== undefined &&
    found.length > 0 &&
    found.every(({ manifest }) => manifest.kind === "subject_register")
  ) {
    return found;
  }
  const registers = table.all("subject_register").map(({ manifest }) => manifest.source_name);
  const problem =
    found === undefined
      ? `no source is named "${name}"${formatSuggestion(name, registers)}`
      : `"${name}" is ${isGroup ? "a group with leaves" : "a leaf"}, expected a subject_register`;
  throw new EngineError("SOURCE_UNKNOWN", problem, {
    name,
    faults: [{ pointer: "/source", code: "SOURCE_UNKNOWN", message: problem }],
  });
}

function requireKnownScheme(
  registers: readonly EngineSource[],
  lookedUp: Scheme,
  isWhole: boolean,
  pinnedName: string | undefined,
): void {
  const { type } = lookedUp;
  if (registers.some((source) => sourceAcceptsScheme(source, type))) return;
  const supported = listRegisterSchemes(registers);
  const holder =
    pinnedName === undefined ? "no register contains" : `register "${pinnedName}" does not contain`;
  const message = `${holder} the scheme "${type}"${formatSuggestion(type, supported)}`;
  throw new EngineError("SCHEME_UNSUPPORTED", message, {
    scheme: type,
    supported,
    held: isWhole ? findOtherIdentifierTypes([{ scheme: lookedUp, registers }]) : [],
    faults: [{ pointer: "/scheme/type", code: "SCHEME_UNSUPPORTED", message }],
  });
}

/** The canonical texts between the `%` of a pattern. */
function splitLikePattern(value: string): readonly string[] {
  const pieces = value.split("%").map(canonicalizeValue);
  if (pieces.every((piece) => piece === "")) {
    const message = `found the pattern ${JSON.stringify(value)}, expected at least one character other than % and separators`;
    throw mismatchError("/scheme/value", message, "VALUE_INVALID");
  }
  return pieces;
}

function toSubjectMatch({ snapshot, builtAt }: OpenRegister, { value, row }: Identifier): SubjectMatch {
  const { meta, attributes } = snapshot;
  const { source_name, collected_at = builtAt } = meta.manifest;
  return {
    source_name,
    source_id: attributes.id(row),
    value,
    ...(collected_at !== undefined && { indexed_at: collected_at }),
    properties: attributes.properties(row),
  };
}
