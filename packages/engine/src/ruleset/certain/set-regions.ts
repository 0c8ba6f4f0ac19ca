import { canonicalJson } from "../../verdict/canonical-json.ts";
import { listSetOperands } from "../parse/parse.ts";
import type { DerivedSet, RulesetSet } from "../parse/schema.ts";

/** The sets of a ruleset by name. */
export type Sets = Readonly<Record<string, RulesetSet>>;

/**
 * The certain facts about the regions of a ruleset's sets. Answers are kept: sets may be made of each other
 * in very many ways.
 */
export class SetRegions {
  readonly #sets: Sets;
  readonly #unmatched: ReadonlySet<string>;
  readonly #empty = new Map<string, boolean>();
  readonly #overlaps = new Map<string, boolean>();
  readonly #parts = new Map<string, boolean>();

  /** @param unmatched names of sets of areas that select no area of the editions in use */
  constructor(sets: Sets, unmatched: ReadonlySet<string>) {
    this.#sets = sets;
    this.#unmatched = unmatched;
  }

  /** True if the set has no area of the editions in use. */
  isEmpty(name: string): boolean {
    return getOrCompute(this.#empty, name, () => {
      const set = this.#sets[name]!;
      if (!isDerived(set)) return this.#unmatched.has(name);
      const { op, names } = listSetOperands(set);
      if (op === "difference") return this.isEmpty(names[0]!);
      const isEmpty = (operand: string): boolean => this.isEmpty(operand);
      return op === "union" ? names.every(isEmpty) : names.some(isEmpty);
    });
  }

  /** True if areas of the set can share more than a border with the plot. */
  canOverlap(name: string): boolean {
    return getOrCompute(this.#overlaps, name, () => {
      const set = this.#sets[name]!;
      if ("registers" in set) return false;
      if ("sources" in set) return set.relation !== "touches" && (set.min_m ?? 0) === 0;
      const { op, names } = listSetOperands(set);
      if (op === "difference") return this.canOverlap(names[0]!);
      return op === "union"
        ? names.some((operand) => this.canOverlap(operand))
        : names.every((operand) => this.canOverlap(operand));
    });
  }

  /** True if the region of one set certainly lies in that of another; false if that is not certain. */
  isPartOf(name: string, whole: string): boolean {
    return getOrCompute(this.#parts, `${name} ${whole}`, () => {
      if (name === whole) return true;
      const [part, container] = [this.#sets[name]!, this.#sets[whole]!];
      if (isDerived(container)) {
        const { op, names } = listSetOperands(container);
        if (op === "union" && names.some((operand) => this.isPartOf(name, operand))) return true;
        if (op === "intersection" && names.every((operand) => this.isPartOf(name, operand))) return true;
      }
      if (!isDerived(part)) return isNarrower(part, container);
      const { op, names } = listSetOperands(part);
      if (op === "difference") return this.isPartOf(names[0]!, whole);
      return op === "union"
        ? names.every((operand) => this.isPartOf(operand, whole))
        : names.some((operand) => this.isPartOf(operand, whole));
    });
  }
}

function getOrCompute(answers: Map<string, boolean>, key: string, find: () => boolean): boolean {
  let answer = answers.get(key);
  if (answer === undefined) {
    answer = find();
    answers.set(key, answer);
  }
  return answer;
}

function isDerived(set: RulesetSet): set is DerivedSet {
  return !("sources" in set) && !("registers" in set);
}

/** True if an area set equals another one with fewer sources or more conditions. */
function isNarrower(part: RulesetSet, whole: RulesetSet): boolean {
  if (!("sources" in part) || !("sources" in whole)) return false;
  const { sources: wanted, ...conditions } = whole;
  return (
    part.sources.every((source) => wanted.includes(source)) &&
    Object.entries(conditions).every(([member, value]) => {
      const own: unknown = Reflect.get(part, member);
      return own !== undefined && canonicalJson(own) === canonicalJson(value);
    })
  );
}
