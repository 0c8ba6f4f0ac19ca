import { EngineError, type EngineErrorCode, FAULT_LIMIT, type Fault } from "../../base/errors.ts";
import type { Plot } from "../../geometry/plot/plot.ts";
import { listRegisterSchemes, sourceAcceptsScheme } from "../../subjects/look-up.ts";
import { findOtherIdentifierTypes } from "../../subjects/registered-elsewhere.ts";
import type { RoleScheme } from "../../subjects/schemes.ts";
import {
  findSetsReachedBy,
  type RulesetPlan,
  type SetPlan,
  type SubjectSetPlan,
} from "../compile/compile.ts";
import { type DeclaredFacts, requireFacts } from "../facts/require-facts.ts";
import { selectSchemesForRole } from "./select.ts";

/** The input of an evaluation, once it is checked. */
export interface CheckedInput {
  /** The plot; for points without an area, the points, which cannot be judged. */
  readonly plot?: Plot | undefined;
  /** True if the plot consists of discs in place of points. */
  readonly isDisc?: boolean | undefined;
  /** The land that the plot is part of. */
  readonly property?: Plot | undefined;
  /** None of them null. */
  readonly facts?: DeclaredFacts | undefined;
  /** With canonical values; empty where the input names nobody. */
  readonly schemes: readonly RoleScheme[];
  /** JSON pointer of each scheme in the input; `/scheme`, or `/scheme/0` and so on. */
  readonly schemePointers: readonly string[];
  /** The country that the input states, ISO 3166-1 alpha-3 in upper case. */
  readonly countryIso3?: string | undefined;
  /** Digest from `inputDigest`; computed last, because it takes long for a large geometry. */
  readonly digest: () => string;
}

/**
 * Refuses an input that lacks something that a check needs.
 *
 * Fails: `INPUT_INCOMPLETE` where a check needs a geometry or an identifier that the input lacks, and for points
 * without an area; `SCHEME_UNSUPPORTED` where no register of a set holds an identifier's scheme; `GEOMETRY_INVALID`
 * for a plot that is a line; `VALIDATION_FAILED` for facts that the ruleset does not ask for.
 */
export function requireCompleteInput(plan: RulesetPlan, input: CheckedInput): void {
  requireFacts(plan.facts, input.facts ?? {});
  const { missing, unsupported, refused } = findInputFaults(plan, input);
  throwIfFaults("INPUT_INCOMPLETE", missing);
  if (unsupported.length > 0)
    throwIfFaults("SCHEME_UNSUPPORTED", unsupported, { held: findOtherIdentifierTypes(refused) });
  const { plot } = input;
  if (plot !== undefined && plot.dimension !== "polygon") {
    const message = `found a ${plot.dimension}, expected a Polygon or MultiPolygon`;
    throwIfFaults("GEOMETRY_INVALID", [{ pointer: "/geometry/type", code: "TYPE_MISMATCH", message }]);
  }
}

/**
 * Faults of an input: parts that checks need and it lacks, points without an area, and identifiers that no register of
 * a set can hold.
 */
export function findInputFaults(
  plan: RulesetPlan,
  { plot, schemes, schemePointers }: CheckedInput,
): {
  readonly missing: readonly Fault[];
  readonly unsupported: readonly Fault[];
  /** The identifier of each of `unsupported`, with the registers of its set. */
  readonly refused: Parameters<typeof findOtherIdentifierTypes>[0];
} {
  const missing: Fault[] = [];
  const unsupported: Fault[] = [];
  const refused: { scheme: RoleScheme; registers: SubjectSetPlan["registers"] }[] = [];
  if (plot?.dimension === "point") {
    const message =
      "found points without an area, expected area_ha, the hectares around each point: give it, or send the land as a Polygon";
    missing.push({ pointer: "/area_ha", code: "INPUT_INCOMPLETE", message });
  }
  for (const set of plan.sets) {
    if (set.kind === "area" && plot === undefined) {
      missing.push(inputMissingFault("/geometry", set, plan, "a geometry"));
    }
    if (set.kind !== "subject") continue;
    const wanted = selectSchemesForRole(schemes, set.asks);
    if (wanted.length === 0) {
      const what = set.asks === undefined ? "an identifier" : `an identifier with the role "${set.asks}"`;
      missing.push(inputMissingFault("/scheme", set, plan, what));
    }
    for (const scheme of wanted) {
      if (set.registers.some((register) => sourceAcceptsScheme(register, scheme.type))) continue;
      const pointer = `${schemePointers[schemes.indexOf(scheme)] ?? "/scheme"}/type`;
      unsupported.push({
        pointer,
        code: "SCHEME_UNSUPPORTED",
        message: unsupportedSchemeMessage(scheme, set),
      });
      refused.push({ scheme, registers: set.registers });
    }
  }
  return { missing, unsupported, refused };
}

function inputMissingFault(pointer: string, set: SetPlan, plan: RulesetPlan, what: string): Fault {
  const check = plan.checks.find((each) => findSetsReachedBy(each).has(set));
  const message = `check "${check?.id}" uses set "${set.name}", which needs ${what}, but the input has none`;
  return { pointer, code: "INPUT_INCOMPLETE", message };
}

function unsupportedSchemeMessage({ type }: RoleScheme, { name, registers }: SubjectSetPlan): string {
  const holds = listRegisterSchemes(registers).join(", ") || "none";
  return `found the scheme "${type}", but no register of set "${name}" contains it; expected one of ${holds}`;
}

function throwIfFaults(code: EngineErrorCode, faults: readonly Fault[], details: object = {}): void {
  const first = faults[0];
  if (first === undefined) return;
  throw new EngineError(code, first.message, { ...details, faults: faults.slice(0, FAULT_LIMIT) });
}
