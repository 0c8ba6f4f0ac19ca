import type { Fault } from "../../base/errors.ts";
import type { Warning } from "../../geometry/plot/plot.ts";
import {
  array,
  choice,
  type Described,
  describedAs,
  named,
  nullable,
  number,
  object,
  objectOf,
  optional,
  type Shape,
  text,
  union,
  type ValueOf,
} from "../../shape/shape.ts";
import { answerShapes, bboxShape } from "../../verdict/schema.ts";

// Members of a plan, each written once; see `verdict/schema.ts`.

const count = number({ whole: true });
const { sourceName, edition, collectedAt, role, semantics, pointer, code, message, positionCount } =
  answerShapes;

/** A requirement on the input: a geometry, the property around it, any identifier, or one with a role. */
export type Need = "geometry" | "property" | "identifier" | `identifier:${string}`;

const needShape: Shape<Need> = union([
  choice("geometry", "property", "identifier"),
  text({ pattern: /^identifier:[\s\S]{0,}$/ }) as object as Shape<`identifier:${string}`>,
]);
const needsShape = describedAs(
  array(needShape),
  "The parts that the input must have for the check to be evaluated",
);

const plannedSourceMembers = {
  source_name: sourceName,
  kind: describedAs(
    choice("leaf", "subject_register"),
    "`leaf`: areas; `subject_register`: a list of identifiers",
  ),
  status: describedAs(
    choice("ok", "failed", "without"),
    "`ok`; `failed` if the source cannot be queried; `without` if the evaluation does without it",
  ),
  live: optional(
    choice(true),
    "Whether it is a live source, which is queried for each evaluation, but not for a plan",
  ),
  edition: optional(text(), edition.description),
  collected_at: optional(collectedAt),
  observed_until: optional(text(), "The last day of which the data speak, `YYYY-MM-DD`"),
  reason: optional(text(), "Why the source cannot be queried"),
  feature_count: describedAs(count, "Number of areas or records of the source"),
  candidates: describedAs(
    nullable(count),
    "Number of candidate areas that the index finds; null if there is nothing to count",
  ),
  within_m: optional(number(), "The greatest distance that the source is asked for, metres"),
};

/** A source that would be queried. */
export interface PlannedSource extends Described<typeof plannedSourceMembers> {}

const plannedSetMembers = {
  name: describedAs(text(), "The name of the set in the ruleset"),
  kind: describedAs(
    choice("area", "derived", "subject"),
    "What the set is made of: areas, other sets, or records",
  ),
  where: optional(text(), "The filter of an area set as CQL2-Text"),
  needs: needsShape,
  sources: describedAs(
    array(
      objectOf({
        source_name: sourceName,
        edition: describedAs(nullable(text()), edition.description),
      }),
    ),
    "The set's own sources; none if it is made of other sets",
  ),
  operands: optional(
    objectOf({
      op: describedAs(choice("union", "intersection", "difference"), "How the sets are put together"),
      sets: describedAs(array(text()), "The names of the sets, in order"),
    }),
    "The sets that it is made of",
  ),
  candidates: describedAs(
    nullable(count),
    "Number of areas that the index finds before any filter; null if the set does not consist of areas",
  ),
};

/** A set that would be selected. */
export interface PlannedSet extends Described<typeof plannedSetMembers> {}

const plannedCheckMembers = {
  id: describedAs(text(), "The id of the check in the ruleset"),
  sets: describedAs(array(text()), "The sets that the check compares"),
  needs: needsShape,
  facts: optional(array(text()), "The declared facts that the check reads; absent if it reads none"),
  failed_sources: describedAs(
    array(text()),
    "The sources of its sets that cannot be queried: what they contain could leave the check open",
  ),
};

/** A check that would be judged. */
export interface PlannedCheck extends Described<typeof plannedCheckMembers> {}

const withinShape = optional(number(), "The greatest distance that is measured, metres");
const stepShape = named("PlanStep", () =>
  union([
    named("PlanMeasure", () =>
      objectOf({
        do: choice("measure"),
        source_name: sourceName,
        within_m: withinShape,
        on: optional(choice("property"), "Measured against the property; absent: the plot"),
      }),
    ),
    named("PlanLookUp", () => objectOf({ do: choice("look_up"), source_name: sourceName })),
    named("PlanSelect", () =>
      objectOf({ do: choice("select"), set: describedAs(text(), "The set that is selected") }),
    ),
    named("PlanJudge", () =>
      objectOf({ do: choice("judge"), check: describedAs(text(), "The check that is judged, by its id") }),
    ),
  ]),
);

/** Steps of an evaluation, in order. */
export type PlanStep = ValueOf<typeof stepShape>;

export const planMembers = {
  ask: describedAs(
    choice("evaluate", "intersections", "distance", "subjects"),
    "The question that is explained",
  ),
  kernel: describedAs(
    choice("default", "reference"),
    "The kernel that measures: `default`, or `reference` for a second opinion",
  ),
  semantics,
  ruleset: describedAs(
    nullable(
      objectOf({
        name: describedAs(nullable(text()), "Its name; null where it has none"),
        version: describedAs(
          nullable(count),
          "Version of a saved ruleset or a preset; null of one that was sent along",
        ),
        digest: describedAs(text(), "SHA-256 of its sets and checks, every default written out"),
      }),
    ),
    "The ruleset that was used; null if only sources are queried",
  ),
  input: describedAs(
    named("PlanInput", () =>
      objectOf({
        geometry: describedAs(
          nullable(
            objectOf({
              dimension: describedAs(
                choice("polygon", "line", "point"),
                "The kind of geometry: points, lines or polygons",
              ),
              position_count: positionCount,
              bbox: bboxShape,
            }),
          ),
          "What is known of the geometry; null if there is none",
        ),
        schemes: describedAs(
          array(
            objectOf({
              type: describedAs(text(), "Kind of the identifier, such as `br:cnpj`"),
              role: optional(role),
            }),
          ),
          "Kinds of identifiers that are looked up",
        ),
      }),
    ),
    "What is known of the input, without the values of identifiers",
  ),
  sources: describedAs(
    array<PlannedSource>(named("PlanSource", () => objectOf(plannedSourceMembers))),
    "The sources that would be queried, and their editions",
  ),
  sets: describedAs(
    array<PlannedSet>(named("PlanSet", () => objectOf(plannedSetMembers))),
    "The sets that checks reach, in the order they are selected in",
  ),
  checks: describedAs(
    array<PlannedCheck>(named("PlanCheck", () => objectOf(plannedCheckMembers))),
    "The checks of the ruleset, and what they need",
  ),
  steps: describedAs(array(stepShape), "The steps of the evaluation, in order"),
  refusals: describedAs(
    array(object<Fault>({ pointer, code, message })),
    "Why the request would be refused as it is",
  ),
};

/** How a question would be answered, found out without answering it. Plain data, the same every time. */
export interface Plan extends Described<typeof planMembers> {}

/** A plan, and what looks doubtful about the input. */
export interface Explanation {
  readonly plan: Plan;
  readonly warnings: readonly Warning[];
}
