import type { ProblemFault } from "../../answering/answerer.ts";
import { findings, type PageFinding } from "../../state/findings.ts";
import type { PagePlot } from "../../state/plot.ts";
import { findingMeanings } from "../finding-meanings.ts";
import { isPlace, placeAt } from "./drawn-shape.ts";

/** The same findings in the same words are the same list of faults. */
const known = new WeakMap<
  readonly PageFinding[],
  readonly [meanings: object, faults: readonly ProblemFault[]]
>();

/** The same problem is the same list of faults. */
const placed = new WeakMap<object, readonly ProblemFault[]>();

/** What the map marks of a plot: why it was refused, else what the checker of plots found. */
export function faultsOf({ key, state, input }: PagePlot): readonly ProblemFault[] | undefined {
  if (state.kind === "refused") {
    const { problem } = state;
    if (!placed.has(problem))
      placed.set(
        problem,
        problem.faults.map((fault) => onMap(fault, input)),
      );
    return placed.get(problem);
  }
  const [found, meanings] = [findings.value.get(key), findingMeanings.value];
  if (found === undefined || meanings === undefined) return undefined;
  const before = known.get(found);
  if (before?.[0] === meanings) return before[1];
  const faults = found.map(({ code, position }) => ({
    code,
    message: meanings[code],
    ...(position !== undefined && { position }),
  }));
  known.set(found, [meanings, faults]);
  return faults;
}

/** A fault with its place on the map: the one it tells, else the one that its pointer leads to. */
function onMap({ position, ...fault }: ProblemFault, input: object | undefined): ProblemFault {
  const isForeign = input !== undefined && "crs" in input;
  const { pointer } = fault;
  const isLed = pointer !== undefined && input !== undefined && !isForeign;
  const at = isPlace(position) ? position : isLed ? placeAt(input, pointer) : undefined;
  return { ...fault, ...(at !== undefined && { position: at }) };
}
