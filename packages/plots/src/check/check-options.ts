import type { CrsTable } from "@groundrule/engine";
import type { WorkMeter } from "@groundrule/engine/internal";
import type { PlotFeature } from "../plot-feature.ts";
import type { PlotFinding } from "../plot-finding.ts";
import type { Profile } from "../profiles/profile.ts";
import type { Countries } from "./countries.ts";
import type { ExaminedGeometry } from "./examined-geometry.ts";
import type { PlotFindings } from "./plot-findings.ts";

/** Checks for what is doubtful about valid plots. */
export interface QualityChecks {
  /** Begins with the plots of a file. */
  start(): {
    /**
     * Reports the doubts about one plot, and keeps what is compared with the others.
     *
     * Fails: as `PlotChecker.check`.
     */
    check(
      plot: PlotFeature,
      geometries: readonly ExaminedGeometry[],
      options: CheckPlotsOptions,
      findings: PlotFindings,
    ): void;
    /** The doubts about all plots together. */
    finish(): readonly PlotFinding[];
  };
}

/** Options of a check of plots. */
export interface CheckPlotsOptions {
  /** The system that is to take the plots; absent: what holds for plots of any purpose. */
  readonly profile?: Profile | undefined;
  /** `qualityChecks`, to report what is doubtful about plots that are valid too; absent: nothing is. */
  readonly quality?: QualityChecks | undefined;
  /** Commodity of the plots, in lowercase: a point of `cattle` may be larger than others. */
  readonly commodity?: string | undefined;
  /** CRSs that are known besides longitude and latitude: `crsTable` of `@groundrule/crs`. */
  readonly crsTable?: CrsTable | undefined;
  /** Countries and their territory; absent: neither is checked. */
  readonly countries?: Countries | undefined;
  /** ISO 3166-1 code of the country of every plot that declares none. */
  readonly country?: string | undefined;
  /** Bounds the work of all plots together; absent: each plot has the bound of an answer of the engine. */
  readonly meter?: WorkMeter | undefined;
}
