import { FAULT_LIMIT, type Fault } from "../base/errors.ts";
import { formatJsonPointer } from "../base/json-pointer.ts";
import { formatSuggestion } from "../base/nearest-name.ts";
import { describeValue } from "./describe-value.ts";
import type {
  AnyShape,
  ArrayForm,
  Choice,
  Form,
  NumberForm,
  ObjectForm,
  Shape,
  TextForm,
  UnionForm,
  ValueOf,
} from "./shape.ts";

export type ShapeFaultCode =
  | "LIMIT_EXCEEDED"
  | "MEMBER_MISSING"
  | "MEMBER_UNKNOWN"
  | "TYPE_MISMATCH"
  | "VALUE_INVALID";

/** A copy of a value that has its shape, or what is wrong with the value. */
export type Checked<Value> =
  | {
      /** The copy. */
      readonly value: Value;
      /** None. */
      readonly faults?: never;
    }
  | {
      /** Faults, in the order of the shape. */
      readonly faults: readonly [Fault, ...Fault[]];
    };

/**
 * Checks a value against its shape and copies it. The members of the copy are in the shape's order. Only
 * what the shape calls `anything`, and unknown members that are kept, are passed on uncopied. A member
 * that is undefined counts as absent.
 *
 * Never throws, and does bounded work, whatever the value: cycles, getters and proxies become faults.
 *
 * @param value of any kind
 * @returns the value, or its faults, at most 100, each with its JSON pointer
 */
export function checkShape<Value>(
  shape: Shape<Value>,
  value: unknown,
  options: CheckOptions = {},
): Checked<Value> {
  const faults: Fault[] = [];
  const walk = new Walk(({ path, code, message }) => {
    if (faults.length < FAULT_LIMIT)
      faults.push({ pointer: formatJsonPointer(path), code, message: message() });
  }, options);
  const copy = walk.copy(shape, value, []);
  const [first, ...others] = faults;
  return first === undefined ? { value: copy as Value } : { faults: [first, ...others] };
}

/** How strictly a value is checked. */
export interface CheckOptions {
  /** Treatment of members that a shape does not name: faults, or kept. Default `refused`. */
  readonly unknownMembers?: "refused" | "kept";
  /**
   * True if lone surrogates and numbers beyond ±(2⁵³ − 1) are faults, as they are in strict JSON: what is stored as JSON
   * must be readable. Default false.
   */
  readonly exact?: boolean;
}

/** Receives every fault in turn. Composing the message costs work: call `message` only for faults that are shown. */
export type FaultSink = (pointer: string, code: ShapeFaultCode, message: () => string) => void;

/**
 * Like {@link checkShape}, for a value that is part of another.
 *
 * @param pointer stands before the pointers of the faults
 * @returns the copy; undefined where there were faults
 */
export function copyCheckedValue<Of extends AnyShape>(
  shape: Of,
  value: unknown,
  report: FaultSink,
  pointer = "",
): ValueOf<Of> | undefined {
  const walk = new Walk(({ path, code, message }) =>
    report(pointer + formatJsonPointer(path), code, message),
  );
  const copy = walk.copy(shape, value, []);
  return walk.faultCount === 0 ? (copy as ValueOf<Of>) : undefined;
}

type Path = (string | number)[];
type PathSink = (fault: PathFault) => void;

/** Most levels below the value, so that the walk through a cycle ends. */
const DEPTH_LIMIT = 512;
/** Most values visited, so that a walk through a value that is referred to many times ends too. No text we read holds so many. */
const VISIT_LIMIT = 2_000_000;

class Walk {
  faultCount = 0;
  #visits = 0;
  #report: PathSink;
  readonly #keepsUnknown: boolean;
  readonly #isExact: boolean;

  constructor(report: PathSink, { unknownMembers = "refused", exact = false }: CheckOptions = {}) {
    this.#report = report;
    this.#keepsUnknown = unknownMembers === "kept";
    this.#isExact = exact;
  }

  /** @param path keys down to the value; shared and restored */
  copy({ form }: AnyShape, value: unknown, path: Path): unknown {
    if (++this.#visits > VISIT_LIMIT) {
      if (this.#visits === VISIT_LIMIT + 1) {
        this.#fault(path, "LIMIT_EXCEEDED", () => `found more than ${VISIT_LIMIT} values, expected fewer`);
      }
      return undefined;
    }
    if (form.kind === "anything") return value;
    if (form.kind === "named") return this.copy(form.shape(), value, path);
    if (path.length > DEPTH_LIMIT) {
      const message = (): string => `found deeper nesting, expected at most ${DEPTH_LIMIT} levels`;
      this.#fault(path, "LIMIT_EXCEEDED", message);
      return undefined;
    }
    if (form.kind === "union") return this.#union(form, value, path);
    if (form.kind === "choice" && value !== undefined) return this.#choice(form.choices, value, path);
    if (!matchesType(form, value)) {
      this.#refuse(
        path,
        value === undefined ? "MEMBER_MISSING" : "TYPE_MISMATCH",
        value,
        describeExpectedType(form),
      );
      return undefined;
    }
    switch (form.kind) {
      case "boolean":
      case "fitting":
        return value;
      case "text":
        return this.#text(form, value as string, path);
      case "number":
        return this.#number(form, value as number, path);
      case "choice":
        return undefined;
      case "array":
        return this.#array(form, value as readonly unknown[], path);
      case "record":
        return this.#record(form.names, form.values, value as object, path);
      case "object":
        return this.#object(form, value as object, path);
    }
  }

  #text({ min = 0, max = Infinity, pattern, words, hint }: TextForm, value: string, path: Path): string {
    const least = value.length < min || (value.length < 2 * min && countCharacters(value) < min);
    if (least || (value.length > max && countCharacters(value) > max)) {
      const limit = least
        ? `at least ${formatCount(min, "character")}`
        : `at most ${formatCount(max, "character")}`;
      this.#refuse(path, "VALUE_INVALID", value, limit);
    } else if (pattern !== undefined && !pattern.test(value)) {
      const expected = words ?? `a string that matches ${pattern.source}`;
      this.#refuse(path, "VALUE_INVALID", value, () => `${expected}${hint?.(value) ?? ""}`);
    } else if (this.#isExact && !value.isWellFormed()) {
      this.#refuseInexact(path, value, "a string without lone surrogates");
    }
    return value;
  }

  #number({ whole, min = -Infinity, max = Infinity, above }: NumberForm, value: number, path: Path): number {
    if (whole && !Number.isSafeInteger(value)) {
      this.#refuse(path, "TYPE_MISMATCH", value, describeExpectedType({ kind: "number", whole }));
    } else if (value < min) this.#refuse(path, "VALUE_INVALID", value, `at least ${min}`);
    else if (value > max) this.#refuse(path, "VALUE_INVALID", value, `at most ${max}`);
    else if (above !== undefined && value <= above) {
      this.#refuse(path, "VALUE_INVALID", value, `more than ${above}`);
    } else if (this.#isExact && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
      this.#refuseInexact(path, value, `a number within ±${Number.MAX_SAFE_INTEGER}`);
    }
    return value;
  }

  #choice(choices: readonly Choice[], value: unknown, path: Path): unknown {
    if (choices.includes(value as Choice)) return value;
    const names = choices.filter((each) => typeof each === "string");
    const hint = (): string => (typeof value === "string" ? formatSuggestion(value, names) : "");
    this.#refuse(
      path,
      "VALUE_INVALID",
      value,
      () => `${describeExpectedType({ kind: "choice", choices })}${hint()}`,
    );
    return undefined;
  }

  #array({ items, min = 0, max = Infinity }: ArrayForm, value: readonly unknown[], path: Path): unknown {
    const length = readMember(value, "length") as number;
    if (length < min || length > max) {
      const limit = length < min ? `at least ${min}` : `at most ${max}`;
      this.#refuse(
        path,
        "VALUE_INVALID",
        value,
        `${limit} ${length < min ? pluralizeEntry(min) : pluralizeEntry(max)}`,
      );
      return undefined;
    }
    const copies: unknown[] = [];
    for (let i = 0; i < length && this.#visits <= VISIT_LIMIT; i++) {
      path.push(i);
      copies.push(this.copy(items, readMember(value, i), path));
      path.pop();
    }
    return copies;
  }

  #record(names: AnyShape, values: AnyShape, value: object, path: Path): unknown {
    const copies: [string, unknown][] = [];
    for (const [name, member] of this.#members(value, path)) {
      path.push(name);
      this.copy(names, name, path);
      copies.push([name, this.copy(values, member, path)]);
      path.pop();
    }
    return Object.fromEntries(copies);
  }

  #object({ members, isOpen }: ObjectForm, value: object, path: Path): unknown {
    const found = new Map(this.#members(value, path));
    const copies: [string, unknown][] = [];
    for (const [name, { shape, isOptional }] of members) {
      const member = found.get(name);
      found.delete(name);
      if (member === undefined && isOptional) continue;
      path.push(name);
      copies.push([name, this.copy(shape, member, path)]);
      path.pop();
    }
    if (isOpen || this.#keepsUnknown) return Object.fromEntries([...copies, ...found]);
    for (const name of found.keys()) {
      path.push(name);
      this.#fault(path, "MEMBER_UNKNOWN", () => unknownMemberMessage(name, [...members.keys()]));
      path.pop();
    }
    return Object.fromEntries(copies);
  }

  #union({ alternatives, words }: UnionForm, value: unknown, path: Path): unknown {
    const refused: CheckedAlternative[] = [];
    for (const alternative of alternatives) {
      const form = resolveForm(alternative);
      if (form.kind !== "union" && form.kind !== "anything" && !matchesType(form, value)) continue;
      const checked = this.#hold(alternative, value, path);
      if (checked.faults.length === 0) return checked.copy;
      refused.push({
        ...checked,
        isTree: form.kind === "object" || form.kind === "array" || form.kind === "record",
      });
    }
    const only = refused.length === 1 && refused[0]!.isTree ? refused[0] : undefined;
    const inexact = refused.find(({ faults }) => faults.every(({ isInexact }) => isInexact === true));
    const nearest =
      inexact ?? only ?? (words === undefined ? findFewestFaults(refused) : findOnlyWithSurplus(refused));
    if (nearest !== undefined) {
      for (const fault of nearest.faults) this.#tell(fault);
    } else {
      const code = value === undefined ? "MEMBER_MISSING" : "VALUE_INVALID";
      this.#refuse(
        path,
        code,
        value,
        () => words?.(value) ?? alternatives.map(describeShapeType).join(" or "),
      );
    }
    return undefined;
  }

  /** Checks a value against one alternative of several. Its faults are kept until it is known which alternative was meant. */
  #hold(alternative: AnyShape, value: unknown, path: Path): Omit<CheckedAlternative, "isTree"> {
    const [report, faultCount] = [this.#report, this.faultCount];
    const faults: PathFault[] = [];
    this.#report = (fault) => {
      if (faults.length < FAULT_LIMIT) faults.push(fault);
    };
    const copy = this.copy(alternative, value, path);
    this.#report = report;
    this.faultCount = faultCount;
    return { copy, faults };
  }

  /** The object's own members that are not undefined. */
  #members(value: object, path: Path): (readonly [string, unknown])[] {
    try {
      return Object.entries(value).filter(([, member]) => member !== undefined);
    } catch {
      // A getter or a proxy threw; what it threw is no concern of ours.
      this.#fault(
        path,
        "TYPE_MISMATCH",
        () => "found an object that cannot be read, expected a plain object",
      );
      return [];
    }
  }

  #refuse(path: Path, code: ShapeFaultCode, found: unknown, expected: string | (() => string)): void {
    const words = typeof expected === "string" ? () => expected : expected;
    this.#fault(path, code, () => `found ${describeValue(found)}, expected ${words()}`);
  }

  #refuseInexact(path: Path, found: unknown, expected: string): void {
    const message = () => `found ${describeValue(found)}, expected ${expected}`;
    this.#tell({ path: [...path], code: "VALUE_INVALID", message, isInexact: true });
  }

  #fault(path: Path, code: ShapeFaultCode, message: () => string): void {
    this.#tell({ path: [...path], code, message });
  }

  #tell(fault: PathFault): void {
    this.faultCount++;
    this.#report(fault);
  }
}

interface PathFault {
  readonly path: readonly (string | number)[];
  readonly code: ShapeFaultCode;
  readonly message: () => string;
  /** Set where only `exact` makes it a fault. */
  readonly isInexact?: true;
}

interface CheckedAlternative {
  readonly copy: unknown;
  readonly faults: readonly PathFault[];
  readonly isTree: boolean;
}

/** The message for an unknown member: it suggests the known name most like it, else lists all known names. */
export function unknownMemberMessage(name: string, known: readonly string[]): string {
  const meant =
    formatSuggestion(name, known) || `; expected one of ${known.map((each) => `"${each}"`).join(", ")}`;
  return `unknown member ${describeValue(name)}${known.length === 0 ? "; expected no members" : meant}`;
}

function findFewestFaults(checked: readonly CheckedAlternative[]): CheckedAlternative | undefined {
  return checked.reduce<CheckedAlternative | undefined>(
    (least, each) => (least === undefined || each.faults.length < least.faults.length ? each : least),
    undefined,
  );
}

/** The one alternative that fits but for members it does not name; undefined where there is none, or another. */
function findOnlyWithSurplus(checked: readonly CheckedAlternative[]): CheckedAlternative | undefined {
  const fitting = checked.filter(({ faults }) => faults.every(({ code }) => code === "MEMBER_UNKNOWN"));
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** A member of an array, however hostile; undefined where it cannot be read. */
function readMember(value: readonly unknown[], key: number | "length"): unknown {
  try {
    return value[key as number];
  } catch {
    return undefined;
  }
}

type PlainForm = Exclude<Form, { readonly kind: "named" }>;

function resolveForm(shape: AnyShape): PlainForm {
  return shape.form.kind === "named" ? resolveForm(shape.form.shape()) : shape.form;
}

/** True if a value has the type of a form, regardless of its content. */
function matchesType(form: PlainForm, value: unknown): boolean {
  switch (form.kind) {
    case "text":
      return typeof value === "string";
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "boolean":
      return typeof value === "boolean";
    case "fitting":
      return isFitting(form.fits, value);
    case "choice":
      return form.choices.some(
        (each) => typeof each === typeof value && (each === null) === (value === null),
      );
    case "array":
      return isArray(value);
    case "record":
    case "object":
      return typeof value === "object" && value !== null && !isArray(value);
    default:
      return true;
  }
}

function isArray(value: unknown): boolean {
  return isFitting(Array.isArray, value);
}

/** A proxy may throw at any question; what cannot be read fits nothing. */
function isFitting(fits: (value: unknown) => boolean, value: unknown): boolean {
  try {
    return fits(value);
  } catch {
    return false;
  }
}

function describeShapeType(shape: AnyShape): string {
  return describeExpectedType(resolveForm(shape));
}

function describeExpectedType(form: PlainForm): string {
  switch (form.kind) {
    case "text":
      return form.words ?? "a string";
    case "number":
      return form.whole ? "a whole number" : "a number";
    case "boolean":
      return "true or false";
    case "choice":
      return form.choices.length === 1
        ? String(form.choices[0])
        : `one of ${form.choices.map(String).join(", ")}`;
    case "array":
      return "an array";
    case "record":
      return "an object";
    case "object":
    case "fitting":
      return form.words;
    case "union":
      return form.alternatives.map(describeShapeType).join(" or ");
    case "anything":
      return "a value";
  }
}

function pluralizeEntry(count: number): string {
  return count === 1 ? "entry" : "entries";
}

function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function countCharacters(value: string): number {
  let count = 0;
  for (const _ of value) count++;
  return count;
}
