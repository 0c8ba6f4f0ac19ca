import type { ProblemFault } from "../answering/answerer.ts";
import { findings, type PageFinding } from "../state/findings.ts";
import type { PagePlot } from "../state/plot.ts";
import { findingMeanings } from "./finding-meanings.ts";

/** The same findings in the same words are the same list of faults. */
const known = new WeakMap<
  readonly PageFinding[],
  readonly [meanings: object, faults: readonly ProblemFault[]]
>();

/** What the map marks of a plot: why it was refused, else what the checker of plots found. */
export function faultsOf({ key, state }: PagePlot): readonly ProblemFault[] | undefined {
  if (state.kind === "refused") return state.problem.faults;
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
