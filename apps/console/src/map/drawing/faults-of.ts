import type { ProblemFault } from "../../answering/answerer.ts";
import { findings, type PageFinding } from "../../state/findings.ts";
import type { PagePlot } from "../../state/plot.ts";
import { findingMeanings } from "../finding-meanings.ts";
import { findPositionAtPointer, isPlace } from "./drawn-shape.ts";

/** Cache: the same findings in the same language return the same list of faults. */
const known = new WeakMap<
  readonly PageFinding[],
  readonly [meanings: object, faults: readonly ProblemFault[]]
>();

/** Cache: the same problem returns the same list of faults. */
const placed = new WeakMap<object, readonly ProblemFault[]>();

/** The faults that the map marks for a plot: those of its refusal, otherwise those of the plot checker. */
export function findPlotFaults({ key, state, input }: PagePlot): readonly ProblemFault[] | undefined {
  if (state.kind === "refused") {
    const { problem } = state;
    if (!placed.has(problem))
      placed.set(
        problem,
        problem.faults.map((fault) => locateFaultOnMap(fault, input)),
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

/** A fault with its place on the map: its own, otherwise that of its pointer. */
function locateFaultOnMap({ position, ...fault }: ProblemFault, input: object | undefined): ProblemFault {
  const isForeign = input !== undefined && "crs" in input;
  const { pointer } = fault;
  const isLed = pointer !== undefined && input !== undefined && !isForeign;
  const at = isPlace(position) ? position : isLed ? findPositionAtPointer(input, pointer) : undefined;
  return { ...fault, ...(at !== undefined && { position: at }) };
}
