import type { PreparedArea } from "../geometry/plot/mend/prepare-area.ts";
import type { RepairLoss } from "../geometry/plot/mend/repair-loss.ts";

/** A repair that leaves out much of another reading, in words: both readings with their areas. */
export function describeRepairLoss(
  { reading, squareMeters, lostSquareMeters }: RepairLoss,
  { squareMetersAfter = 0 }: Pick<PreparedArea, "squareMetersAfter">,
): string {
  const [repaired, other] = [formatArea(squareMetersAfter), formatArea(squareMeters)];
  const lost = formatShare(lostSquareMeters / squareMeters);
  return reading === "as_written"
    ? `with its edges of 180° or more the short way round it has ${repaired}, as they are written ${other}, of which the short way leaves out ${lost}`
    : `repaired it has ${repaired}; with what two of its rings enclose as a hole, and three as land, it has ${other}, of which the repair leaves out ${lost}`;
}

function formatArea(squareMeters: number): string {
  return squareMeters < 10_000
    ? `${formatHundredths(squareMeters)} m²`
    : `${formatHundredths(squareMeters / 10_000)} ha`;
}

/** A share in percent; it is 100 of a whole alone. */
function formatShare(ratio: number): string {
  if (ratio === 1) return "100 %";
  let decimals = 2;
  while (Number((100 * ratio).toFixed(decimals)) === 100) decimals++;
  return `${(100 * ratio).toFixed(decimals)} %`;
}

/** A number in English, to the hundredth. */
function formatHundredths(value: number): string {
  return value.toFixed(2).replace(/\B(?=(?:\d{3}){1,7}\.)/g, ",");
}
