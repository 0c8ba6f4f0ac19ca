import type { FindingCode, PlotFinding, Profile, Severity } from "@groundrule/plots";
import { type Signal, signal } from "@preact/signals";
import type { Geometry } from "geojson";

/** A problem of a plot that the checker of plots found, whether or not it keeps the plot from being asked about. */
export interface PageFinding {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** Longitude and latitude, in degrees, where the finding has a place. */
  readonly position?: readonly [number, number];
  /** Of a plot that lies where it should not: the countries that hold its place, none in the sea. */
  readonly countries?: readonly string[];
  /** Where it would lie with longitude and latitude the other way round, and so where it should. */
  readonly swapped?: { readonly position: readonly [number, number]; readonly countries: readonly string[] };
  /** What it is about: land that is shared with another plot, a difference of areas. */
  readonly squareMeters?: number;
  /** What was measured, and the bound that it is beyond. */
  readonly measure?: NonNullable<PlotFinding["measure"]>;
  /** The name of the other plot of a duplicate or an overlap. */
  readonly other?: string;
}

/** A plot as it is once its faults are mended; one becomes several where a system takes it only in parts. */
export interface MendedPlot {
  readonly id: string;
  /** Longitude and latitude on WGS 84. */
  readonly geometry: Geometry;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The mend of each plot that has one, by its key. */
export const mends: Signal<ReadonlyMap<string, readonly MendedPlot[]>> = signal(new Map());

/** The system that is to take the plots, for which they are checked too; undefined: none. */
export const profile: Signal<Profile["name"] | undefined> = signal(undefined);

/** True if plots are checked for doubtful shapes, sizes and producers too. */
export const quality: Signal<boolean> = signal(false);

/** Why plots were not compared with the borders of countries; undefined where they were, or none was checked yet. */
export const withoutBorders: Signal<string | undefined> = signal(undefined);

/** What was found of each plot, by its key; plots without findings are not in it. */
export const findings: Signal<ReadonlyMap<string, readonly PageFinding[]>> = signal(new Map());
