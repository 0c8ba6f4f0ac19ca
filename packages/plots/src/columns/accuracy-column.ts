import { splitNameIntoWords } from "./name-words.ts";

const ACCURACY = /^(?:accuracy|precision|precisao|akurasi|exactitud|exactitude|acc)$/;
const AROUND = /^(?:gps|geo|geopoint|geoshape|point|location|horizontal|m|meters|metres|metros)$/;

/** The accuracy that a receiver states of the position of a plot. */
export interface StatedAccuracy {
  /** The property that states it. */
  readonly column: string;
  /** As the receiver stated it. */
  readonly meters: number;
}

/**
 * The accuracy that properties state, in metres: in `gps_accuracy_m`, `_gps_precision`, `accuracy` and the like; of
 * several the worst. 0 states none: forms write it where a position was set by hand.
 */
export function statedAccuracy(properties: Readonly<Record<string, unknown>>): StatedAccuracy | undefined {
  let worst: StatedAccuracy | undefined;
  for (const column of Object.keys(properties)) {
    if (!isAccuracyColumn(column)) continue;
    const value = properties[column];
    const meters =
      typeof value === "string" && /^\s*\d+(?:\.\d+)?(?:\s*m)?\s*$/.test(value)
        ? Number.parseFloat(value)
        : value;
    if (typeof meters !== "number" || !(meters > 0)) continue;
    if (worst === undefined || meters > worst.meters) worst = { column, meters };
  }
  return worst;
}

/** Columns by whether they hold accuracies: files have few, and each in every plot. */
const known = new Map<string, boolean>();
const MOST_KNOWN = 4096;

function isAccuracyColumn(column: string): boolean {
  const found = known.get(column);
  if (found !== undefined) return found;
  const words = splitNameIntoWords(column);
  const isOne =
    words.some((word) => ACCURACY.test(word)) &&
    (words.length === 1 || words.some((word) => AROUND.test(word))) &&
    words.length <= 5;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(column, isOne);
  return isOne;
}
