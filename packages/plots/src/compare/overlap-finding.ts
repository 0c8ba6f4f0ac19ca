import { englishFigures } from "@groundrule/words/figures";
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
  const share = `${englishFigures.share(other.share)} of it and ${englishFigures.share(plot.share)} of`;
  const name = `plot ${plot.number} (${JSON.stringify(plot.id)}), ${holder}`;
  return {
    plot: number,
    id,
    ...(line !== undefined && { line }),
    code,
    severity: isDuplicate || !isOfOneProducer ? "error" : "warning",
    pointer: "/geometry",
    found: isDuplicate
      ? `the land of ${name}`
      : `${englishFigures.area(squareMeters)} shared, ${share} ${name}`,
    expected: "land that no other plot covers",
    mend: FINDINGS[code].mend,
    square_meters: squareMeters,
    other: { plot: plot.number, id: plot.id },
  };
}
