import { FINDINGS } from "../finding-codes.ts";
import type { PlotFinding } from "../plot-finding.ts";
import type { PlotOverlap } from "./plot-comparer.ts";

/** An overlap as a finding of the plot that came after. */
export function overlapFinding({
  plot,
  other,
  squareMeters,
  isDuplicate,
  isOfOneProducer,
}: PlotOverlap): PlotFinding {
  const code = isDuplicate ? "PLOTS_IDENTICAL" : "PLOTS_OVERLAP";
  const { number, id, line } = other;
  const holder = isOfOneProducer ? "of the same producer" : "of another producer";
  const share = `${percent(other.share)} of it and ${percent(plot.share)} of`;
  const name = `plot ${plot.number} (${JSON.stringify(plot.id)}), ${holder}`;
  return {
    plot: number,
    id,
    ...(line !== undefined && { line }),
    code,
    severity: isDuplicate || !isOfOneProducer ? "error" : "warning",
    pointer: "/geometry",
    found: isDuplicate ? `the land of ${name}` : `${squareMeters.toFixed(1)} m² shared, ${share} ${name}`,
    expected: "land of its own",
    mend: FINDINGS[code].mend,
    square_meters: squareMeters,
    other: { plot: plot.number, id: plot.id },
  };
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
