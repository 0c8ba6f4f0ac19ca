import type { Bbox, CandidateArea, LiveNeed, ProvidedAreas } from "@groundrule/engine";

/** The result of a provider of live areas. */
export type ProviderAnswer =
  | Exclude<ProvidedAreas, { readonly failed: string }>
  | { readonly failed: string; readonly code?: "PROVIDER_INVALID" | "PROVIDER_UNAVAILABLE" };

/** The areas for a need, found by testing each: the result that a database would return. */
export function selectNeededAreas(areas: readonly CandidateArea[], need: LiveNeed): CandidateArea[] {
  return areas.filter(({ geometry }) => {
    const box = computeGeometryBox(geometry);
    const isWide = box[2] - box[0] >= 180;
    return need.boxes.some((one) => meets(one, box)) || (isWide && need.wide.some((one) => meets(one, box)));
  });
}

/** A provider over areas in memory, which records its queries. */
export class AreaProvider {
  /** The needs it was queried for, in order. */
  readonly queries: LiveNeed[] = [];
  readonly #areas: readonly CandidateArea[];
  /** Answers in place of the areas, if set: simulates a fault. */
  fault: ((options: { readonly signal?: AbortSignal }) => Promise<ProviderAnswer>) | undefined;
  isClosed = false;
  breaker: "closed" | "open" | "half-open" = "closed";

  constructor(areas: readonly CandidateArea[]) {
    this.#areas = areas;
  }

  async candidates(need: LiveNeed, options: { readonly signal?: AbortSignal } = {}): Promise<ProviderAnswer> {
    this.queries.push(need);
    if (this.fault !== undefined) return this.fault(options);
    return { candidates: selectNeededAreas(this.#areas, need) };
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

/** The box of a Polygon's or MultiPolygon's longitudes and latitudes, as they are written. */
function computeGeometryBox(geometry: object): Bbox {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  const visit = (value: unknown): void => {
    if (!Array.isArray(value)) return;
    const [x, y] = value as unknown[];
    if (typeof x !== "number" || typeof y !== "number") {
      for (const inner of value) visit(inner);
      return;
    }
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], y);
  };
  visit((geometry as { readonly coordinates?: unknown }).coordinates);
  return box;
}

function meets(a: Bbox, b: Bbox): boolean {
  return a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1];
}
