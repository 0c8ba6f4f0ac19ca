import { EngineError } from "@groundrule/engine";
import { openSnapshot } from "@groundrule/engine/build";
import { readEditionFile } from "../../files/read-edition.ts";
import { ENGINE_OPTIONS } from "../../threads/host.ts";

/** Measures of an edition that the guards compare. */
export interface EditionMeasures {
  /** For areas: the sum of their square metres; land that two of them share counts twice. */
  readonly square_meters?: number;
  /** For each column, the number of areas or records with a value in it. */
  readonly filled: Readonly<Record<string, number>>;
}

/**
 * Measures an edition.
 *
 * @param path of its snapshot file
 * @returns undefined if the file is missing or damaged
 */
export function measureEdition(path: string): EditionMeasures | undefined {
  try {
    return measureEditionOrThrow(path);
  } catch (error) {
    if (error instanceof EngineError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Like {@link measureEdition}. Fails: `EngineError` if the file does not open. */
export function measureEditionOrThrow(path: string): EditionMeasures {
  const { meta, attributes, ...snapshot } = openSnapshot(readEditionFile(path), {
    name: path,
    crc32: ENGINE_OPTIONS.crc32,
  });
  const filled = attributes.columns.map(
    ({ name }, column) => [name, meta.feature_count - attributes.summary(column).nullCount] as const,
  );
  return {
    // Rounding may make the area of tiny rings negative.
    ...(snapshot.kind === "leaf" && {
      square_meters: Math.max(0, sumValues(snapshot.layer.areaSquareMeters)),
    }),
    filled: Object.fromEntries(filled),
  };
}

/** Adds in the order of the values. */
export function sumValues(values: Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
