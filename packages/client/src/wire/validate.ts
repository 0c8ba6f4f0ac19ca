import type { PlotCollection } from "./jobs.ts";
import type { Bbox, Fault, GeometryInput, LintFinding, Warning } from "./shared.ts";

/** Body of `POST /v1/validate`: a geometry, plots, a ruleset, or several of them. */
export interface ValidateBody {
  readonly geometry?: GeometryInput | undefined;
  /** At most 1,000 plots, checked one by one and against each other. */
  readonly plots?: PlotCollection | undefined;
  /** The system that is to take the plots. */
  readonly profile?: "eudr" | undefined;
  /** What the plots produce: a point of `cattle` may be larger. */
  readonly commodity?: string | undefined;
  readonly crs?: string | undefined;
  /** Hectares around each point: whether the points can be judged with it. */
  readonly area_ha?: number | undefined;
  readonly ruleset?: object | undefined;
}

/** Answer of `POST /v1/validate`; a part that was not sent is null. */
export interface ValidateResponse {
  readonly data: {
    readonly geometry: ValidGeometry | InvalidGeometry | null;
    readonly plots: CheckedPlots | null;
    readonly ruleset: { readonly valid: boolean; readonly lint: readonly LintFinding[] } | null;
  };
}

/** What a geometry that can be asked about holds; of points with an area, what their discs hold. */
export interface ValidGeometry {
  readonly valid: true;
  readonly position_count: number;
  readonly bbox: Bbox;
  /** What was mended. */
  readonly warnings: readonly Warning[];
}

/** Why a geometry cannot be asked about. */
export interface InvalidGeometry {
  readonly valid: false;
  readonly code: string;
  readonly errors: readonly Fault[];
  /** What is known of it beside its faults, as a proposed repair. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** What is wrong with plots, by themselves and with each other. */
export interface CheckedPlots {
  /** Whether no finding is an error. */
  readonly valid: boolean;
  /** Features of the request. */
  readonly plot_count: number;
  /** Findings that are errors, told or not. */
  readonly error_count: number;
  /** Findings that are warnings, told or not. */
  readonly warning_count: number;
  /** Whether there are more findings than are told. */
  readonly truncated: boolean;
  readonly findings: readonly ValidateFinding[];
}

/** One problem of one plot. */
export interface ValidateFinding {
  /** Number of the feature, the first is 1; 0 of all together. */
  readonly plot: number;
  /** Its id; its number where it has none. */
  readonly id: string | number;
  readonly code: string;
  /** Whether it stops the plot from being accepted. */
  readonly severity: "error" | "warning";
  /** JSON pointer into the request. */
  readonly pointer: string;
  /** Where it is, longitude and latitude. */
  readonly position?: readonly [number, number] | undefined;
  /** What was found. */
  readonly found: string;
  /** What was expected. */
  readonly expected: string;
  /** What mends it. */
  readonly mend: string;
  /** What the finding is about, m². */
  readonly area_m2?: number | undefined;
  /** The other plot of an overlap. */
  readonly other?:
    | {
        /** Its number. */
        readonly plot: number;
        /** Its id. */
        readonly id: string | number;
      }
    | undefined;
}
