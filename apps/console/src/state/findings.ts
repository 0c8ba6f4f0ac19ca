import type { FindingCode, PlotFinding, Profile, Severity } from "@groundrule/plots";
import { type Signal, signal } from "@preact/signals";
import type { Geometry } from "geojson";

/** A problem of a plot that the plot checker found; it may or may not prevent its evaluation. */
export interface PageFinding {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** Longitude and latitude of the finding in degrees, if it has a place. */
  readonly position?: readonly [number, number];
  /** For a plot in the wrong place: the countries there, none in the sea. */
  readonly countries?: readonly string[];
  /** The position with longitude and latitude swapped, if the plot would be in the right place there. */
  readonly swapped?: { readonly position: readonly [number, number]; readonly countries: readonly string[] };
  /** The area concerned: land that is shared with another plot, or a difference of areas. */
  readonly squareMeters?: number;
  /** The declared area and the measured one, in square metres, if they differ. */
  readonly areas?: { readonly declared: number; readonly measured: number };
  /** The measured value, and the exceeded bound. */
  readonly measure?: NonNullable<PlotFinding["measure"]>;
  /** The name of the other plot of a duplicate or an overlap. */
  readonly other?: string;
}

/** A fixed plot; one plot becomes several if a system accepts it only in parts. */
export interface MendedPlot {
  readonly id: string;
  /** Longitude and latitude on WGS 84. */
  readonly geometry: Geometry;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The fix of each plot that has one, by key. */
export const mends: Signal<ReadonlyMap<string, readonly MendedPlot[]>> = signal(new Map());

/** The system that is to accept the plots, for which they are checked too; undefined: none. */
export const profile: Signal<Profile["name"] | undefined> = signal(undefined);

/** True if plots are checked for doubtful shapes, sizes and producers too. */
export const quality: Signal<boolean> = signal(false);

/**
 * The reason why plots were not compared with the borders of countries; undefined if they were, or none was checked
 * yet.
 */
export const withoutBorders: Signal<string | undefined> = signal(undefined);

/** The findings of each plot, by key; plots without findings are absent. */
export const findings: Signal<ReadonlyMap<string, readonly PageFinding[]>> = signal(new Map());
