import type { WorkMeter } from "../../base/work-meter.ts";
import type { PlotOnLayers } from "../../geometry/kernel/plot-on-layers.ts";
import { PlotCoverage } from "../../sources/plot-coverage.ts";
import type { Territories } from "../../sources/territories.ts";
import type { RoleScheme } from "../../subjects/schemes.ts";
import type { SetPlan } from "../compile/compile.ts";
import type { Facts } from "../facts/facts.ts";
import type { Extent } from "../measures/ratio.ts";
import { UnknownContent } from "../unknown/unknown-content.ts";
import { Selector } from "./select.ts";

/** States if a check or a comparison can hold, and if it can fail. */
export interface Decision {
  readonly canHold: boolean;
  readonly canFail: boolean;
}

/** The basis on which a check is decided. */
export interface Grounds {
  readonly facts: Facts;
  readonly selectors: { readonly plot: Selector; readonly property: Selector | undefined };
}

/** An identifier of the input, and where it is in it. */
export interface PlacedScheme extends RoleScheme {
  readonly pointer: string;
}

/** The selections that an evaluation needs on some land, or without land. */
export interface LandQuestion {
  /** The sets that are measured on it. */
  readonly sets: readonly SetPlan[];
  readonly schemes: readonly PlacedScheme[];
  readonly territories: Territories;
  /** True if undeclared sources cover nothing. */
  readonly isStrict: boolean;
  readonly nowMs: number;
  readonly facts: Facts;
  readonly meter: WorkMeter;
}

/** The plot or the property of one evaluation, what sources cover of it, and the sets that are selected on it. */
export class Land {
  readonly plot: PlotOnLayers | undefined;
  readonly coverage: PlotCoverage | undefined;
  readonly unknown: UnknownContent;
  readonly selector: Selector;
  readonly extent: Extent;
  readonly schemes: readonly PlacedScheme[];

  /** @param plot absent where no set is one of areas */
  constructor(plot: PlotOnLayers | undefined, question: LandQuestion) {
    const { sets, schemes, territories, isStrict, nowMs, facts, meter } = question;
    this.plot = plot;
    this.schemes = schemes;
    this.coverage = plot && new PlotCoverage(plot, territories, isStrict, meter);
    this.unknown = new UnknownContent(this.coverage, nowMs);
    this.selector = new Selector(plot, schemes, sets, this.unknown, facts, meter);
    this.extent = { squareMeters: plot?.areaSquareMeters ?? 0 };
  }
}
