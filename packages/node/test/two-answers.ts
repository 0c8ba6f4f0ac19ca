import type { Policy } from "@groundrule/engine";
import type { SnapshotFile } from "@groundrule/engine/build";
import { createBoxPositions } from "@groundrule/testing/shapes";
import { createBoxSource } from "@groundrule/testing/small-sources";

/** Two editions of one source with opposite answers to two checks, so that a mixture of them is detected. */
export const SOURCE = "demo:parks";

/** Both editions have the same number of areas, of the same size. */
export const EDITIONS: Readonly<Record<"east" | "west", () => SnapshotFile>> = {
  east: () => createBoxSource(SOURCE, { a: [10, 0, 11, 1], far: [50, 0, 51, 1] }),
  west: () => createBoxSource(SOURCE, { a: [0, 0, 1, 1], far: [50, 0, 51, 1] }),
};

/** It has a part in each place; both checks measure the source there. */
export const PLOT = {
  type: "MultiPolygon",
  coordinates: [[createBoxPositions(0.4, 0.4, 0.5, 0.5)], [createBoxPositions(10.2, 0.4, 10.5, 0.5)]],
} as const;

/** A quarter of the plot is in the west. */
export const RULESET = {
  sets: { parks: { sources: [SOURCE] } },
  checks: [
    { id: "any", set: "parks", measure: "overlap_ratio", value: 0.1, outcome: "NOTICE" },
    { id: "most", set: "parks", measure: "overlap_ratio", value: 0.5, outcome: "WARNING" },
  ],
} as const;

type Verdict = Pick<ReturnType<Policy["evaluate"]>, "sources" | "checks">;

/**
 * The edition on which a verdict was reached, derived from all its parts.
 *
 * Fails: if the parts disagree, or a source failed.
 */
export function getAnsweredEdition(
  verdict: Verdict,
  editions: Readonly<Record<"east" | "west", string>>,
): string {
  const [source] = verdict.sources;
  const edition = source?.status === "ok" ? source.edition : undefined;
  const isEast = edition === editions.east;
  if (!isEast && edition !== editions.west)
    throw new Error(`answered on ${edition}: ${JSON.stringify(verdict)}`);
  const [any, most] = verdict.checks;
  const evidence = verdict.checks.flatMap(
    (check) => check.evidence as readonly { readonly edition?: string }[],
  );
  const agrees =
    any?.triggered === true &&
    most?.triggered === isEast &&
    evidence.length > 0 &&
    evidence.every((each) => each.edition === edition);
  if (!agrees) throw new Error(`found a mixture: ${JSON.stringify(verdict)}`);
  return edition!;
}
