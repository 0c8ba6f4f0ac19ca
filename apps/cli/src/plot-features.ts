import { FeatureSplitter, FormatError, type SplitterLimits, type SplitValue } from "@groundrule/formats";
import type { PlotFeature } from "@groundrule/plots";
import type { LineError } from "./line-error.ts";

/** A plot that cannot be read, in its place among the others. */
export interface UnreadPlot {
  readonly number: number;
  readonly id: string | number;
  readonly line?: number;
  readonly error: LineError;
}

const LIMITS: SplitterLimits = { featureBytes: 64 * 1024 * 1024, depth: 64 };

/** Reads plots with all their properties from GeoJSON in its stream forms. */
export async function* readPlotFeatures(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<PlotFeature | UnreadPlot, void, undefined> {
  let count = 0;
  let crs: string | undefined;
  const read = (piece: SplitValue): PlotFeature | undefined => {
    if (piece.part === "head") crs = crsName(piece.value);
    if (piece.part !== "feature" && piece.part !== "text") return undefined;
    return toFeature(piece, ++count, piece.part === "feature" ? crs : undefined);
  };
  const splitter = new FeatureSplitter(read, LIMITS);
  try {
    for await (const chunk of bytes) yield* splitter.push(chunk);
    splitter.end();
  } catch (error) {
    if (!(error instanceof FormatError) || count === 0) throw error;
    yield { number: count + 1, id: count + 1, error: { code: error.code, message: error.message } };
  }
}

interface Members {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly geometry?: unknown;
  readonly properties?: Readonly<Record<string, unknown>> | null;
}

function toFeature(piece: SplitValue, number: number, collectionCrs: string | undefined): PlotFeature {
  const value = piece.value as Members;
  const isFeature = value.type === "Feature";
  const properties = (isFeature ? value.properties : undefined) ?? {};
  const crs = crsName(value) ?? collectionCrs;
  const { line } = piece.place;
  return {
    number,
    id: idOf(value.id) ?? idOf(properties.id) ?? number,
    ...(line !== undefined && piece.part === "text" && { line }),
    geometry: isFeature ? value.geometry : value,
    properties,
    ...(crs !== undefined && { crs }),
  };
}

function idOf(id: unknown): string | number | undefined {
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

function crsName(value: unknown): string | undefined {
  const { crs } = value as {
    readonly crs?: { readonly properties?: { readonly name?: unknown } | null } | null;
  };
  const name = crs?.properties?.name;
  return typeof name === "string" ? name : undefined;
}
