import { parseCalendarDay } from "../../base/calendar-day.ts";
import type { AttributeValue } from "../../snapshot/snapshot.ts";
import { type AreaSetPlan, type CheckPlan, listSetsReachedOn } from "../compile/compile.ts";
import type { Facts } from "../facts/facts.ts";
import type { Grounds } from "../select/land.ts";
import type { Selector } from "../select/select.ts";

/** The sets of areas that a check reaches, each on its land. */
export function* listAreaSets(
  check: CheckPlan,
  { plot, property }: Grounds["selectors"],
): Iterable<{ readonly set: AreaSetPlan; readonly selector: Selector }> {
  for (const [land, selector] of [
    ["plot", plot],
    ["property", property],
  ] as const) {
    if (selector === undefined) continue;
    for (const set of listSetsReachedOn([check], land)) if (set.kind === "area") yield { set, selector };
  }
}

/** The numbers that a filter compares a fact with: literals, known facts, and columns of the areas that may be in the set. */
export function listComparedValues(
  set: AreaSetPlan,
  selector: Selector,
  fact: string,
  facts: Facts,
): number[] {
  const { where } = set;
  const compared = where?.compared.filter((each) => each.fact === fact) ?? [];
  if (compared.length === 0) return [];
  const { areas, undetermined, possible } = selector.get(set);
  const values = new Set<number>();
  const add = (value: AttributeValue | undefined): void => {
    const number = typeof value === "string" ? parseCalendarDay(value) : value;
    if (typeof number === "number") values.add(number);
  };
  for (const { against } of compared) {
    if (against.literal !== undefined) add(against.literal);
    if (against.fact !== undefined) add(facts.value(against.fact));
  }
  const columns = compared.flatMap(({ against }) => against.property ?? []);
  for (const found of [...areas, ...possible.map(({ fact: area }) => area), ...undetermined]) {
    const member = set.sources.find(
      ({ source }) => "snapshot" in source && source.snapshot === found.snapshot,
    );
    for (const property of columns) add(member?.readers[property]?.(found.area));
  }
  return [...values];
}
