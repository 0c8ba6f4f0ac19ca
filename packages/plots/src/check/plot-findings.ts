import { formatJsonPointer } from "@groundrule/engine/internal/json";
import { FINDINGS, type FindingCode, type Severity } from "../finding-codes.ts";
import type { PlotFeature } from "../plot-feature.ts";
import type { PlotFinding } from "../plot-finding.ts";

/** Findings of one code that a plot has; the last of them states how many more there are. */
export const FINDINGS_PER_CODE = 100;

/** Parts of a finding that are its own; the rest is the same for all findings with its code. */
export interface FindingDetails {
  readonly found: string;
  readonly expected: string;
  readonly mend?: string | undefined;
  /** Needed for codes that are `error or warning`. */
  readonly severity?: Severity;
  readonly position?: readonly [number, number] | undefined;
  /** See {@link PlotFinding.swapped}. */
  readonly swapped?: readonly [number, number];
  readonly squareMeters?: number;
  readonly measure?: PlotFinding["measure"];
}

/** JSON pointer of a property in its Feature. */
export function toPropertyPointer(property: string): string {
  return `/properties${formatJsonPointer([property])}`;
}

/** A finding of a plot. */
export function createPlotFinding(
  { number, id, line }: Pick<PlotFeature, "number" | "id" | "line">,
  code: FindingCode,
  pointer: string,
  details: FindingDetails,
): PlotFinding {
  const { found, expected, position, swapped, squareMeters, measure } = details;
  const kind = FINDINGS[code];
  return {
    plot: number,
    id,
    ...(line !== undefined && { line }),
    code,
    severity: details.severity ?? (kind.severity === "warning" ? "warning" : "error"),
    ...(kind.profile !== undefined && { profile: kind.profile }),
    pointer,
    ...(position?.every(Number.isFinite) && { position }),
    ...(swapped !== undefined && { swapped }),
    found,
    expected,
    mend: details.mend ?? kind.mend,
    ...(squareMeters !== undefined && { square_meters: squareMeters }),
    ...(measure !== undefined && { measure }),
  };
}

/** Gathers the findings of one plot. */
export class PlotFindings {
  readonly #plot: PlotFeature;
  readonly #list: PlotFinding[] = [];
  readonly #counts = new Map<FindingCode, number>();
  readonly #last = new Map<FindingCode, number>();

  constructor(plot: PlotFeature) {
    this.#plot = plot;
  }

  add(code: FindingCode, pointer: string, details: FindingDetails): void {
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    if (count > FINDINGS_PER_CODE) return;
    this.#last.set(code, this.#list.length);
    this.#list.push(createPlotFinding(this.#plot, code, pointer, details));
  }

  /** True if a finding with this code was made. */
  has(code: FindingCode): boolean {
    return this.#counts.has(code);
  }

  /** Every finding, in the order in which they were made. */
  conclude(): PlotFinding[] {
    for (const [code, count] of this.#counts) {
      if (count <= FINDINGS_PER_CODE) continue;
      const last = this.#last.get(code)!;
      const finding = this.#list[last]!;
      this.#list[last] = {
        ...finding,
        found: `${finding.found} (and ${count - FINDINGS_PER_CODE} more like it)`,
      };
    }
    return this.#list;
  }
}
