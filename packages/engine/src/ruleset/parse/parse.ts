import { isCountryIso3 } from "../../base/country-codes.ts";
import { EngineError } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import { escapePointerToken } from "../../base/json-pointer.ts";
import { formatSuggestion } from "../../base/nearest-name.ts";
import { readUntrusted, refusePromise } from "../../base/read-untrusted.ts";
import { checkStrictJson, MalformedJson } from "../../base/strict-json.ts";
import { encodeUtf8 } from "../../base/utf8.ts";
import { copyCheckedValue } from "../../shape/check-shape.ts";
import { describeValue } from "../../shape/describe-value.ts";
import type { AnyShape, ValueOf } from "../../shape/shape.ts";
import { canonicalJson } from "../../verdict/canonical-json.ts";
import {
  getMeasureWord,
  listMeasureWords,
  MEASURE_WORDS,
  MEASURES,
  type SetKind,
} from "../measures/measures.ts";
import {
  checkFactComparison,
  checkFactDeclarations,
  checkFilterFacts,
  checkThresholdFact,
} from "./check-facts.ts";
import { parseFilter } from "./cql2.ts";
import type { FactDeclarations } from "./fact-types.ts";
import { RulesetFaults } from "./faults.ts";
import {
  type AreaSet,
  CHECK_FORMS,
  CHECK_LIMIT,
  type Check,
  type Comparison,
  type DerivedSet,
  type Measurement,
  RULESET_BYTE_LIMIT,
  RULESET_FORM,
  type Ruleset,
  type RulesetSet,
  SET_DEPTH_LIMIT,
  SET_FORMS,
  SET_LIMIT,
  SET_NAME_PATTERN,
} from "./schema.ts";

/**
 * Reads a ruleset from JSON text or from a value. Everything that can be known without sources is
 * checked: members, limits, names, filters' shape, references between sets, measures suited to their
 * sets. A member that is null counts as absent.
 *
 * @param input JSON text, or the value it stands for
 *
 * Fails: `RULESET_INVALID` with every fault (at most 100), each with its JSON pointer.
 */
export function parseRuleset(input: unknown): Ruleset {
  const faults = new RulesetFaults();
  const value = readRulesetJson(input, faults);
  faults.throwIfAny();
  const ruleset = readRuleset(value, faults);
  faults.throwIfAny();
  return ruleset;
}

export function getSetKind(set: RulesetSet): SetKind {
  return "sources" in set ? "area" : "registers" in set ? "subject" : "derived";
}

/** Names of the sets a derived set is made of, and how. */
export function listSetOperands(set: DerivedSet): {
  readonly op: "union" | "intersection" | "difference";
  readonly names: readonly string[];
} {
  if ("union" in set) return { op: "union", names: set.union };
  if ("intersection" in set) return { op: "intersection", names: set.intersection };
  return { op: "difference", names: set.difference };
}

/** The comparisons of a check, with the pointer of each below the check's own. */
export function listComparisons(check: Check): {
  readonly mode: "all" | "any";
  readonly comparisons: readonly { readonly comparison: Comparison; readonly pointer: string }[];
} {
  const listed = (name: "all" | "any", items: readonly Comparison[]) => ({
    mode: name,
    comparisons: items.map((comparison, i) => ({ comparison, pointer: `/${name}/${i}` })),
  });
  if ("all" in check) return listed("all", check.all);
  if ("any" in check) return listed("any", check.any);
  return { mode: "all", comparisons: [{ comparison: check, pointer: "" }] };
}

/** The value as plain JSON; undefined, with a fault, where it is none or too large. */
function readRulesetJson(input: unknown, faults: RulesetFaults): unknown {
  try {
    refusePromise(input, "");
    return readUntrusted(input, "", () => readPlainJson(input, faults));
  } catch (error) {
    if (error instanceof MalformedJson) {
      // Only a text is parsed.
      const hint = (input as string).trim()[0] === "{" ? "" : "; pass the text of the file";
      faults.add(
        error.pointer,
        "JSON_INVALID",
        `the ruleset is not acceptable JSON: ${error.message}${hint}`,
      );
    } else if (error instanceof EngineError) {
      for (const { pointer, message } of error.details.faults ?? [])
        faults.add(pointer, "VALUE_INVALID", message);
    } else throw error;
    return undefined;
  }
}

function readPlainJson(input: unknown, faults: RulesetFaults): unknown {
  const text = typeof input === "string" ? input : canonicalJson(input);
  const bytes = encodeUtf8(text);
  if (bytes.length > RULESET_BYTE_LIMIT) {
    faults.add("", "LIMIT_EXCEEDED", `found ${bytes.length} bytes, expected at most ${RULESET_BYTE_LIMIT}`);
    return undefined;
  }
  // Only a text can name a member twice, or hold a number that no value is.
  if (typeof input === "string") checkStrictJson(bytes);
  // Its members in the order they came.
  const sent = typeof input === "string" ? input : JSON.stringify(input);
  const value: unknown = JSON.parse(sent);
  canonicalJson(value);
  return value;
}

type Members = Readonly<Record<string, unknown>>;

function readRuleset(value: unknown, faults: RulesetFaults): Ruleset {
  const sent = readObjectMembers(value, "", "a ruleset {sets, checks}", faults);
  const members = isObject(sent.facts) ? { ...sent, facts: factsWithoutNulls(sent.facts) } : sent;
  const form = readForm(RULESET_FORM, members, "", faults);
  const sets = readSets(members.sets, faults);
  const checks = readChecks(members.checks, faults);
  if (faults.count === 0) {
    const facts = form?.facts ?? {};
    checkFactDeclarations(facts, faults);
    for (const [name, set] of sets) {
      if ("sources" in set && set.where !== undefined) {
        checkFilterFacts(set.where, `/sets/${escapePointerToken(name)}/where`, facts, faults);
      }
    }
    checkSetReferences(sets, faults);
    for (const [i, check] of checks.entries())
      checkCheckMeasurements(check, `/checks/${i}`, sets, facts, faults);
  }
  return { ...form, sets: Object.fromEntries(sets), checks };
}

function readSets(sent: unknown, faults: RulesetFaults): ReadonlyMap<string, RulesetSet> {
  const sets = new Map<string, RulesetSet>();
  const members = readObjectMembers(sent, "/sets", "an object of named sets", faults);
  const names = Object.keys(members);
  if (names.length > SET_LIMIT) {
    faults.add("/sets", "LIMIT_EXCEEDED", `found ${names.length} sets, expected at most ${SET_LIMIT}`);
    return sets;
  }
  for (const name of names) {
    const pointer = `/sets/${escapePointerToken(name)}`;
    if (!SET_NAME_PATTERN.test(name)) {
      const expected = "a-z, 0-9 and _, beginning with a letter, at most 64";
      faults.add(pointer, "VALUE_INVALID", `found the set name ${describeValue(name)}, expected ${expected}`);
    }
    const set = readSet(members[name], pointer, faults);
    if (set !== undefined) sets.set(name, set);
  }
  return sets;
}

const SET_KINDS = ["sources", "union", "intersection", "difference", "registers"] as const;
const CHECK_KINDS = ["set", "fact", "all", "any"] as const;

function readSet(sent: unknown, pointer: string, faults: RulesetFaults): RulesetSet | undefined {
  const members = readObjectMembers(sent, pointer, "a set", faults);
  const form = pickFormName(SET_KINDS, members, pointer, "set", faults);
  switch (form) {
    case undefined:
      return undefined;
    case "sources":
      return readAreaSet(members, pointer, faults);
    default:
      return readForm(SET_FORMS[form], members, pointer, faults);
  }
}

function readAreaSet(members: Members, pointer: string, faults: RulesetFaults): AreaSet | undefined {
  const form = readForm(SET_FORMS.sources, members, pointer, faults);
  const where =
    members.where === undefined ? undefined : parseFilter(members.where, `${pointer}/where`, faults);
  if (form === undefined) return undefined;
  const { where: _, ...set } = form;
  if (set.within_m !== undefined && set.relation !== undefined) {
    faults.add(
      `${pointer}/relation`,
      "MEMBERS_EXCLUSIVE",
      'found both "relation" and "within_m", expected one of them',
    );
  }
  if (set.min_m !== undefined && set.within_m === undefined) {
    faults.add(`${pointer}/min_m`, "MEMBER_MISSING", 'found "min_m" without "within_m", expected both');
  }
  if (set.min_m !== undefined && set.within_m !== undefined && set.min_m > set.within_m) {
    const message = `found ${set.min_m}, expected at most within_m, ${set.within_m}`;
    faults.add(`${pointer}/min_m`, "VALUE_INVALID", message);
  }
  checkCountryCodes(set, pointer, faults);
  return where === undefined ? set : { ...set, where };
}

function checkCountryCodes(set: AreaSet, pointer: string, faults: RulesetFaults): void {
  const { country_iso3: sent } = set;
  const codes = sent === undefined ? [] : typeof sent === "string" ? [sent] : sent;
  for (const [i, code] of codes.entries()) {
    if (isCountryIso3(code.toUpperCase())) continue;
    const at = `${pointer}/country_iso3${typeof sent === "string" ? "" : `/${i}`}`;
    faults.add(at, "COUNTRY_UNKNOWN", `found "${code}", expected an ISO 3166-1 alpha-3 code`);
  }
}

function readChecks(sent: unknown, faults: RulesetFaults): readonly Check[] {
  if (!Array.isArray(sent) || sent.length < 1 || sent.length > CHECK_LIMIT) {
    const code =
      sent === undefined ? "MEMBER_MISSING" : Array.isArray(sent) ? "LIMIT_EXCEEDED" : "TYPE_MISMATCH";
    faults.add(
      "/checks",
      code,
      `found ${describeValue(sent)}, expected an array of 1 to ${CHECK_LIMIT} checks`,
    );
    return [];
  }
  const pointers = new Map<string, string>();
  return sent.flatMap((item: unknown, i) => {
    const pointer = `/checks/${i}`;
    const check = readCheck(item, pointer, faults);
    if (check === undefined) return [];
    const earlier = pointers.get(check.id);
    if (earlier === undefined) pointers.set(check.id, pointer);
    else
      faults.add(
        `${pointer}/id`,
        "NAME_DUPLICATE",
        `found "${check.id}", which ${earlier} already has, expected a unique id`,
      );
    return [check];
  });
}

function readCheck(sent: unknown, pointer: string, faults: RulesetFaults): Check | undefined {
  const members = readObjectMembers(sent, pointer, "a check", faults);
  const form = pickFormName(CHECK_KINDS, members, pointer, "check", faults);
  if (form === undefined) return undefined;
  const { [form]: listed, ...others } = members;
  const comparisons = Array.isArray(listed) ? listed.map(comparisonWithoutNulls) : listed;
  const whole = comparisonWithoutNulls({ ...others, [form]: comparisons }) as Members;
  return readForm(CHECK_FORMS[form], whole, pointer, faults);
}

/** Every set a derived set names exists and has a region; no set contains itself; none is too deep. */
function checkSetReferences(sets: ReadonlyMap<string, RulesetSet>, faults: RulesetFaults): void {
  const before = faults.count;
  for (const [name, set] of sets) {
    if (getSetKind(set) !== "derived") continue;
    const { op, names } = listSetOperands(set as DerivedSet);
    for (const [i, operand] of names.entries()) {
      requireSetRegion(operand, `/sets/${escapePointerToken(name)}/${op}/${i}`, sets, faults);
    }
  }
  if (faults.count > before) return;
  const depths = new Map<string, number>();
  for (const name of sets.keys()) {
    const depth = measureSetDepth(name, sets, depths, new Set());
    if (depth === Number.POSITIVE_INFINITY) {
      faults.add(
        `/sets/${escapePointerToken(name)}`,
        "SET_CYCLE",
        `found set "${name}" defined in terms of itself, expected it to use other sets only`,
      );
    } else if (depth > SET_DEPTH_LIMIT) {
      const message = `found set "${name}" nested ${depth} levels deep, expected at most ${SET_DEPTH_LIMIT}`;
      faults.add(`/sets/${escapePointerToken(name)}`, "LIMIT_EXCEEDED", message);
    }
  }
}

/** Levels of derived sets; infinite for a set that contains itself, or one that does. */
function measureSetDepth(
  name: string,
  sets: ReadonlyMap<string, RulesetSet>,
  depths: Map<string, number>,
  above: Set<string>,
): number {
  if (above.has(name)) return Number.POSITIVE_INFINITY;
  const set = sets.get(name)!;
  if (getSetKind(set) !== "derived") return 0;
  let depth = depths.get(name);
  if (depth === undefined) {
    above.add(name);
    const below = listSetOperands(set as DerivedSet).names.map((operand) =>
      measureSetDepth(operand, sets, depths, above),
    );
    above.delete(name);
    depth = 1 + below.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    depths.set(name, depth);
  }
  return depth;
}

function requireSetRegion(
  name: string,
  pointer: string,
  sets: ReadonlyMap<string, RulesetSet>,
  faults: RulesetFaults,
): void {
  const set = requireSet(name, pointer, sets, faults);
  if (set !== undefined && getSetKind(set) === "subject") {
    faults.add(pointer, "SET_UNSUITED", `found subject set "${name}", expected a set of areas`);
  }
}

function requireSet(
  name: string,
  pointer: string,
  sets: ReadonlyMap<string, RulesetSet>,
  faults: RulesetFaults,
): RulesetSet | undefined {
  const set = sets.get(name);
  if (set === undefined) {
    faults.add(
      pointer,
      "SET_UNKNOWN",
      () => `found ${describeValue(name)}, expected the name of a set${formatSuggestion(name, sets.keys())}`,
    );
  }
  return set;
}

const TAKE_OF = MEASURE_WORDS.filter((word) => MEASURES[word].takesOf)
  .map((word) => `"${word}"`)
  .join(" or ");

function checkCheckMeasurements(
  check: Check,
  checkPointer: string,
  sets: ReadonlyMap<string, RulesetSet>,
  facts: FactDeclarations,
  faults: RulesetFaults,
): void {
  for (const { comparison, pointer: below } of listComparisons(check).comparisons) {
    const pointer = `${checkPointer}${below}`;
    if ("fact" in comparison) checkFactComparison(comparison, pointer, facts, faults);
    else {
      checkMeasurement(comparison, pointer, sets, faults);
      checkThresholdFact(comparison, pointer, facts, faults);
    }
    const { value } = comparison;
    if (typeof value === "object" && "set" in value) {
      checkMeasurement(value, `${pointer}/value`, sets, faults);
    }
  }
}

function checkMeasurement(
  measurement: Measurement,
  pointer: string,
  sets: ReadonlyMap<string, RulesetSet>,
  faults: RulesetFaults,
): void {
  const word = getMeasureWord(measurement.measure ?? "count");
  const set = requireSet(measurement.set, `${pointer}/set`, sets, faults);
  if (set !== undefined) {
    const kind = getSetKind(set);
    const allowed = listMeasureWords(kind);
    if (!allowed.includes(word)) {
      const message = `found "${word}" of ${kind} set "${measurement.set}", expected one of ${allowed.join(", ")}`;
      faults.add(`${pointer}/measure`, "MEASURE_UNSUITED", message);
    }
    if (kind === "subject" && measurement.on !== undefined) {
      const message = `found "on" with subject set "${measurement.set}", expected it only with areas`;
      faults.add(`${pointer}/on`, "MEASURE_UNSUITED", message);
    }
  }
  if (measurement.of === undefined) return;
  if (!MEASURES[word].takesOf) {
    const message = `found "of" with the measure "${word}", expected it only with ${TAKE_OF}`;
    faults.add(`${pointer}/of`, "MEASURE_UNSUITED", message);
  }
  requireSetRegion(measurement.of, `${pointer}/of`, sets, faults);
}

/** The members of an object that are not null; none, with a fault, where the value is no object. */
function readObjectMembers(
  value: unknown,
  pointer: string,
  expected: string,
  faults: RulesetFaults,
): Members {
  if (isObject(value)) return withoutNulls(value) as Members;
  const code = value === undefined ? "MEMBER_MISSING" : "TYPE_MISMATCH";
  faults.add(pointer, code, `found ${describeValue(value)}, expected ${expected}`);
  return {};
}

function withoutNulls(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

function comparisonWithoutNulls(comparison: unknown): unknown {
  const members = withoutNulls(comparison);
  return isObject(members) && "value" in members
    ? { ...members, value: withoutNulls(members.value) }
    : members;
}

function factsWithoutNulls(facts: object): object {
  const read = Object.entries(withoutNulls(facts) as object).map(([name, fact]) => {
    const members = withoutNulls(fact);
    return isObject(members) && "question" in members
      ? [name, { ...members, question: withoutNulls(members.question) }]
      : [name, members];
  });
  return Object.fromEntries(read);
}

/** The one member that identifies the form of an object. */
function pickFormName<Name extends string>(
  forms: readonly Name[],
  members: Members,
  pointer: string,
  noun: string,
  faults: RulesetFaults,
): Name | undefined {
  const found = forms.filter((name) => Object.hasOwn(members, name));
  if (found.length === 1) return found[0];
  const expected = `exactly one of ${forms.map((name) => `"${name}"`).join(", ")}`;
  if (found.length > 1) {
    faults.add(
      pointer,
      "MEMBERS_EXCLUSIVE",
      `found ${noun} with "${found.join('" and "')}", expected ${expected}`,
    );
    return undefined;
  }
  const meant =
    Object.keys(members)
      .map((name) => formatSuggestion(name, forms))
      .find((text) => text !== "") ?? "";
  faults.add(
    pointer,
    "MEMBER_MISSING",
    `found a ${noun} without any of its defining members, expected ${expected}${meant}`,
  );
  return undefined;
}

/** The value in its form; faults, and undefined, where it does not fit. */
function readForm<Form extends AnyShape>(
  form: Form,
  value: Members,
  pointer: string,
  faults: RulesetFaults,
): ValueOf<Form> | undefined {
  return copyCheckedValue(form, value, (at, code, message) => faults.add(at, code, message), pointer);
}
