import { VERDICT_COLORS } from "@groundrule/words";
import type { FeatureCollection } from "geojson";
import type { FilterSpecification, LayerSpecification, SourceSpecification } from "maplibre-gl";
import { FINEST_ZOOM, TILE_SIZE } from "../../answering/tile-places.ts";
import type { PlotStatus } from "../../state/plot-status.ts";
import type { BaseStyle } from "./base-style.ts";
import { buildYearFill, type SelectedYears } from "./cell-colours.ts";

/** The ground that is hatched. */
export type HatchExtent = "all" | "near";

const HATCH_EXTENTS = ["all", "near"] as const;

/** From this zoom on, the ground near plots alone is hatched. */
const NEAR_ZOOM = 9;

/** Everything that determines the map's layers and their style; their data is passed to their sources separately. */
export interface MapLook {
  readonly isDark: boolean;
  /** Reference layers to draw, from bottom to top, each with its colour. */
  readonly shown: readonly ShownSource[];
  /** Sources whose uncovered ground is hatched. */
  readonly hatched: readonly string[];
  readonly highlighted:
    | { readonly source_name: string; readonly source_id: string; readonly isRaster?: boolean }
    | undefined;
  /**
   * True if everything except the selected plot is veiled, so that its overlap with the highlighted area stands out.
   */
  readonly isVeiled: boolean;
  readonly selectedKey: string | undefined;
  /** True if there are so many plots that their dots have no rims. */
  readonly isDense?: boolean;
  /** The plot whose shape is being changed: drawn by the drawing library, not below it. */
  readonly editedKey: string | undefined;
  /** A base map of the operator's choice, drawn over the land. */
  readonly tiles: BaseTiles | undefined;
  /** A style of the operator's choice, in place of tiles. */
  readonly style: BaseStyle | undefined;
  /** Number of answerers so far: each answerer has its own tiles. */
  readonly answererNumber: number;
}

/** A reference layer. */
export interface ShownSource {
  readonly source: string;
  readonly colour: string;
  /** True if its lines are dashed, because another source has its colour. */
  readonly isDashed?: boolean;
  /** True if its areas are cell values, each with its own colour. */
  readonly isRaster?: boolean;
  /** True if its cells are forest, over which others are drawn. */
  readonly isForest?: boolean;
  /** The years of its values that the ruleset selects; absent: each value has its own colour. */
  readonly years?: SelectedYears | undefined;
}

/** Tiles from the page's configuration. */
export interface BaseTiles {
  readonly url: string;
  readonly attribution?: string;
  readonly maxzoom?: number;
}

export interface WantedLayers {
  readonly sources: Readonly<Record<string, SourceSpecification>>;
  /** Layers from bottom to top. */
  readonly layers: readonly LayerSpecification[];
}

interface Inks {
  readonly sea: string;
  readonly land: string;
  readonly coast: string;
  readonly border: string;
  readonly graticule: string;
  readonly name: string;
  readonly halo: string;
  readonly selected: string;
  readonly selectedHalo: string;
  readonly highlight: string;
}

const LIGHT: Inks = {
  sea: "#d3e0e7",
  land: "#faf9f6",
  coast: "#8fa1ab",
  border: "#8f897c",
  graticule: "#8896a0",
  name: "#6a7075",
  halo: "#faf9f6",
  selected: "#14181b",
  selectedHalo: "#ffffff",
  highlight: "#14181b",
};

const DARK: Inks = {
  sea: "#14191d",
  land: "#20262b",
  coast: "#3b464e",
  border: "#48525a",
  graticule: "#7d8b95",
  name: "#98a2a9",
  halo: "#20262b",
  selected: "#ffffff",
  selectedHalo: "#14191d",
  highlight: "#ffffff",
};

/** Colours of plots by status, for a theme. */
export function getStatusColours(isDark: boolean): Readonly<Record<PlotStatus, string>> {
  const [muted, text] = isDark ? ["#a5ada8", "#eceeeb"] : ["#5a615d", "#1c1f1d"];
  return {
    ...VERDICT_COLORS[isDark ? "dark" : "light"].marks,
    NEW: muted,
    ASKING: muted,
    UNANSWERED: muted,
    REFUSED: text,
  };
}

/** Colour of the outline of a property. */
export function getPropertyColour(isDark: boolean): string {
  return (isDark ? DARK : LIGHT).selected;
}

/** Colour of the hatching of uncovered ground: opaque, so that overlapping hatchings look like one. */
export function getHatchColour(isDark: boolean): string {
  return isDark ? "#6b7880" : "#8a949a";
}

const EMPTY: FeatureCollection = { type: "FeatureCollection", features: [] };

/** The id of the vector source of a reference layer, and of the source of its hatching. */
export const areasId = (source: string): string => `areas ${source}`;
/** The id of the hatching of a source: of all ground where the map is far off, or of that near plots. */
export const uncoveredId = (source: string, extent: HatchExtent): string => `uncovered ${extent} ${source}`;
/** The id of the layer that fills a source's areas: a pointer finds it. */
export const fillId = (source: string): string => `fill ${source}`;

/** Layers in which a pointer finds plots. */
export const PLOT_LAYERS = ["plot-areas", "plot-outlines", "plot-dots"] as const;

/** Sources and layers of a look, from the sea up to the drawing sketch. */
export function buildMapLayers(look: MapLook): WantedLayers {
  const inks = look.isDark ? DARK : LIGHT;
  const references = listDrawnReferences(look);
  return {
    sources: {
      land: { type: "geojson", data: EMPTY, maxzoom: 10, attribution: "Natural Earth" },
      borders: { type: "geojson", data: EMPTY, maxzoom: 10 },
      "country-names": { type: "geojson", data: EMPTY, maxzoom: 6 },
      graticule: { type: "geojson", data: EMPTY },
      ...buildTilesSource(look.tiles),
      ...look.style?.sources,
      ...Object.fromEntries(
        look.hatched.flatMap((source) =>
          HATCH_EXTENTS.map((extent) => [
            uncoveredId(source, extent),
            buildHatchSource(source, extent, look),
          ]),
        ),
      ),
      ...Object.fromEntries(
        references.map(({ source }) => [areasId(source), buildAreasSource(source, look)]),
      ),
      plots: { type: "geojson", data: EMPTY, promoteId: "key", maxzoom: 18 },
      "plot-points": { type: "geojson", data: EMPTY, promoteId: "key" },
      "plot-outlines": { type: "geojson", data: EMPTY, promoteId: "key", maxzoom: 18 },
      property: { type: "geojson", data: EMPTY, maxzoom: 18 },
      veil: { type: "geojson", data: EMPTY },
      sketch: { type: "geojson", data: EMPTY },
    },
    layers: [
      { id: "sea", type: "background", paint: { "background-color": inks.sea } },
      { id: "land", type: "fill", source: "land", paint: { "fill-color": inks.land } },
      { id: "coast", type: "line", source: "land", paint: { "line-color": inks.coast, "line-width": 1 } },
      ...buildTilesLayers(look.tiles),
      ...(look.style?.layers ?? []),
      ...look.hatched.flatMap((source) => HATCH_EXTENTS.map((extent) => buildHatchLayer(source, extent))),
      {
        id: "graticule",
        type: "line",
        source: "graticule",
        paint: { "line-color": inks.graticule, "line-opacity": 0.22, "line-width": 0.75 },
      },
      {
        id: "borders",
        type: "line",
        source: "borders",
        layout: ROUND,
        paint: {
          "line-color": inks.border,
          "line-width": ["interpolate", ["linear"], ["zoom"], 2, 0.8, 8, 1.6],
        },
      },
      ...references.flatMap((reference) => buildReferenceLayers(reference, look, inks)),
      ...buildVeilLayers(look, inks),
      graticuleNamesLayer(inks, look.style),
      ...references
        .filter(({ isSwitchedOn, isRaster }) => isSwitchedOn && !isRaster)
        .map((each) => areaNamesLayer(each, look, inks)),
      ...(look.style === undefined ? [countryNamesLayer(inks)] : []),
      ...buildPropertyLayers(inks),
      ...buildPlotLayers(look, inks),
      plotNamesLayer(look, inks),
      ...buildSketchLayers(inks, look.isDark),
    ],
  };
}

/** A highlighted area is drawn even if its layer is switched off, without its neighbours. */
function listDrawnReferences({ shown, highlighted, isDark }: MapLook): readonly Reference[] {
  const all = shown.map((reference) => ({ ...reference, isSwitchedOn: true }));
  if (highlighted === undefined || shown.some(({ source }) => source === highlighted.source_name)) return all;
  const colour = isDark ? DARK.highlight : LIGHT.highlight;
  const { source_name: source, isRaster = false } = highlighted;
  return [...all, { source, colour, isRaster, isSwitchedOn: false }];
}

interface Reference extends ShownSource {
  readonly isSwitchedOn: boolean;
}

function buildAreasSource(source: string, { answererNumber }: MapLook): SourceSpecification {
  return {
    type: "vector",
    tiles: [`reference://${answererNumber}/${encodeURIComponent(source)}/{z}/{x}/{y}`],
    minzoom: 0,
    maxzoom: FINEST_ZOOM,
  };
}

function buildHatchSource(
  source: string,
  extent: HatchExtent,
  { isDark, answererNumber }: MapLook,
): SourceSpecification {
  const kind = `${isDark ? "dark" : "light"}/${extent}`;
  return {
    type: "raster",
    tiles: [`uncovered://${answererNumber}/${encodeURIComponent(source)}/${kind}/{z}/{x}/{y}`],
    tileSize: TILE_SIZE,
    minzoom: 0,
    maxzoom: 20,
  };
}

function buildHatchLayer(source: string, extent: HatchExtent): LayerSpecification {
  const id = uncoveredId(source, extent);
  // From far off, the hatching of whole continents would be the loudest thing on the map.
  const opacity = ["step", ["zoom"], 0.5, 5, 1] as never;
  const zooms = extent === "all" ? { maxzoom: NEAR_ZOOM } : { minzoom: NEAR_ZOOM };
  const paint = { "raster-fade-duration": 0, "raster-opacity": opacity } as const;
  return { id, type: "raster", source: id, ...zooms, paint };
}

/** Cells are adjacent: no outlines, and no seams between them. */
function buildCellLayers(
  { source, colour, isSwitchedOn, isForest, years }: Reference,
  { highlighted, isDark }: MapLook,
  inks: Inks,
): LayerSpecification[] {
  const from = { type: "fill", source: areasId(source), "source-layer": "areas" } as const;
  const plain = {
    colour: isForest === true ? colour : ["coalesce", ["get", "color"], colour],
    opacity: 0.65,
  };
  const fill = years === undefined ? plain : buildYearFill(years, isDark);
  const own = { "fill-color": fill.colour as never, "fill-antialias": false };
  const layers: LayerSpecification[] = [];
  if (isSwitchedOn) {
    // At small scales, opacity is proportional to the share of ground that the areas cover.
    const opacity = ["*", isForest === true ? 0.9 : fill.opacity, ["coalesce", ["get", "share"], 1]] as never;
    layers.push({ ...from, id: fillId(source), paint: { ...own, "fill-opacity": opacity } });
  }
  if (highlighted?.source_name === source) {
    const filter: FilterSpecification = ["==", ["get", "source_id"], highlighted.source_id];
    const lit = { "fill-color": inks.highlight, "fill-opacity": 0.45, "fill-antialias": false };
    layers.push({ ...from, id: `lit ${source}`, filter, paint: lit });
  }
  return layers;
}

function buildReferenceLayers(reference: Reference, look: MapLook, inks: Inks): LayerSpecification[] {
  if (reference.isRaster) return buildCellLayers(reference, look, inks);
  const { source, colour, isSwitchedOn, isDashed } = reference;
  const from = { source: areasId(source), "source-layer": "areas" } as const;
  const { highlighted } = look;
  const layers: LayerSpecification[] = [];
  if (isSwitchedOn) {
    const width = ["interpolate", ["linear"], ["zoom"], 3, 0.5, 10, 1.25, 14, 1.75] as never;
    const dashes = isDashed === true && { "line-dasharray": [4, 2] };
    // Forest stays green below areas that cover all of it.
    const ground = look.shown.some(({ isForest }) => isForest) ? 0.08 : 0.2;
    const line = { "line-color": colour, "line-opacity": 0.85, "line-width": width, ...dashes };
    layers.push(
      { id: fillId(source), type: "fill", ...from, paint: { "fill-color": colour, "fill-opacity": ground } },
      { id: `line ${source}`, type: "line", ...from, paint: line },
    );
  }
  if (highlighted?.source_name === source) {
    const filter: FilterSpecification = ["==", ["get", "source_id"], highlighted.source_id];
    const ground = { "fill-color": colour, "fill-opacity": computeFillOpacity(look, isSwitchedOn) };
    const line = { "line-color": inks.highlight, "line-width": 2.5 };
    layers.push(
      { id: `lit ${source}`, type: "fill", ...from, filter, paint: ground },
      { id: `lit-line ${source}`, type: "line", ...from, filter, layout: ROUND, paint: line },
    );
  }
  return layers;
}

/** More opaque where only the part within the plot is shown. */
function computeFillOpacity({ isVeiled }: MapLook, isSwitchedOn: boolean): number {
  if (isVeiled) return 0.45;
  return isSwitchedOn ? 0.05 : 0.2;
}

function buildVeilLayers({ isVeiled, highlighted }: MapLook, { land }: Inks): LayerSpecification[] {
  if (!isVeiled || highlighted === undefined) return [];
  return [{ id: "veil", type: "fill", source: "veil", paint: { "fill-color": land, "fill-opacity": 0.6 } }];
}

function buildTilesSource(tiles: BaseTiles | undefined): Record<string, SourceSpecification> {
  if (tiles === undefined) return {};
  const { url, attribution = "", maxzoom = 19 } = tiles;
  return { tiles: { type: "raster", tiles: [url], tileSize: 256, maxzoom, attribution } };
}

function buildTilesLayers(tiles: BaseTiles | undefined): LayerSpecification[] {
  return tiles === undefined ? [] : [{ id: "tiles", type: "raster", source: "tiles" }];
}

/** Labels of meridians and parallels, at the edge of the view, once it shows no more than a few countries. */
function graticuleNamesLayer(inks: Inks, style: BaseStyle | undefined): LayerSpecification {
  return {
    id: "graticule-names",
    type: "symbol",
    source: "graticule",
    minzoom: 4,
    filter: ["==", ["geometry-type"], "Point"],
    layout: {
      "text-field": ["get", "label"],
      "text-anchor": ["get", "anchor"],
      "text-size": 11,
      "text-padding": 12,
      ...getStyleFonts(style),
    },
    paint: { "text-color": inks.name, "text-halo-color": inks.halo, "text-halo-width": 1.25 },
  };
}

/** Labels of areas, once a view shows no more than a few of them. */
function areaNamesLayer(
  { source, colour }: Reference,
  { style, isDark }: MapLook,
  inks: Inks,
): LayerSpecification {
  // Distinguishes the label from its area's fill.
  const [share, ground] = isDark ? [0.4, "#fff"] : [0.15, "#000"];
  return {
    id: `name ${source}`,
    type: "symbol",
    source: areasId(source),
    "source-layer": "areas",
    minzoom: 8,
    layout: {
      "text-field": ["get", "name"],
      "text-size": 12,
      "text-max-width": 8,
      "text-padding": 8,
      ...getStyleFonts(style),
    },
    paint: {
      "text-color": ["interpolate", ["linear"], share, 0, colour, 1, ground] as never,
      "text-halo-color": inks.halo,
      "text-halo-width": 1.5,
    },
  };
}

/** The fonts of an operator's glyphs, if there is a style: it may have no others. */
function getStyleFonts(style: BaseStyle | undefined): { readonly "text-font"?: string[] } {
  return style?.fonts === undefined ? {} : { "text-font": [...style.fonts] };
}

function countryNamesLayer(inks: Inks): LayerSpecification {
  return {
    id: "country-names",
    type: "symbol",
    source: "country-names",
    maxzoom: 10,
    filter: ["<=", ["get", "from"], ["zoom"]],
    layout: {
      "text-field": ["get", "name"],
      "text-size": ["interpolate", ["linear"], ["zoom"], 1, 10, 6, 14],
      "text-max-width": 7,
      "text-padding": 6,
      "symbol-sort-key": ["get", "rank"],
    },
    paint: { "text-color": inks.name, "text-halo-color": inks.halo, "text-halo-width": 1.25 },
  };
}

/** Labels of plots, once a view shows no more than a few of them. */
function plotNamesLayer({ style, editedKey }: MapLook, inks: Inks): LayerSpecification {
  return {
    id: "plot-names",
    type: "symbol",
    source: "plot-points",
    minzoom: 11,
    filter: ["!=", ["get", "key"], editedKey ?? ""],
    layout: { "text-field": ["get", "id"], "text-size": 13, "text-max-width": 10, ...getStyleFonts(style) },
    paint: { "text-color": inks.selected, "text-halo-color": inks.selectedHalo, "text-halo-width": 1.5 },
  };
}

/** The property around the selected plot: a thin line with long dashes, a style that no plot has. */
function buildPropertyLayers(inks: Inks): LayerSpecification[] {
  const of = { type: "line", source: "property" } as const;
  const halo = { "line-color": inks.selectedHalo, "line-width": 4, "line-opacity": 0.8 };
  const line = { "line-color": inks.selected, "line-width": 1.5, "line-dasharray": [6, 3] };
  return [
    { id: "property-halo", ...of, paint: halo },
    { id: "property", ...of, paint: line },
  ];
}

/** An expression: the opacity of a plot, a fifth of it if the list's filter leaves the plot out. */
function dim(opacity: number): number {
  return ["*", opacity, ["case", ["boolean", ["feature-state", "isDimmed"], false], 0.2, 1]] as never;
}

function buildPlotLayers(look: MapLook, inks: Inks): LayerSpecification[] {
  const colours = getStatusColours(look.isDark);
  const status = ["coalesce", ["feature-state", "status"], "NEW"];
  const colour = ["match", status, ...Object.entries(colours).flat(), colours.NEW] as unknown as string;
  /** An expression: a value for plots with certain statuses, and another for the rest. */
  const only = (rest: number, statuses: readonly PlotStatus[], value: number): number =>
    ["match", status, statuses, value, rest] as never;
  /** A refused plot has only its outline drawn. */
  const unlessRefused = (opacity: number): number => only(opacity, ["REFUSED"], 0);
  // The worse the status of a plot, the thicker its line: verdicts can be distinguished without colour.
  const width = ["match", status, "NON_COMPLIANT", 2.5, "DEGRADED", 2, 1.5] as unknown as number;
  const isThere: FilterSpecification = ["!=", ["get", "key"], look.editedKey ?? ""];
  const shownKey = look.selectedKey === look.editedKey ? undefined : look.selectedKey;
  const isSelected: FilterSpecification = ["==", ["get", "key"], shownKey ?? ""];
  const isDot: FilterSpecification = ["<", ["zoom"], ["get", "until"]];
  const there = { source: "plots", filter: isThere } as const;
  const selected = { type: "line", source: "plots", filter: isSelected, layout: ROUND } as const;
  const outlines = { type: "line", source: "plot-outlines" } as const;
  const dots = { type: "circle", source: "plot-points" } as const;
  const ground = { "fill-color": colour, "fill-opacity": dim(unlessRefused(look.isVeiled ? 0.1 : 0.3)) };
  const seen = only(1, ["WARNING", "REFUSED"], 0);
  const line = { "line-color": colour, "line-width": width, "line-opacity": dim(seen) };
  const dashed = {
    "line-width": 2,
    "line-dasharray": [3, 1.5],
    "line-opacity": dim(only(0, ["WARNING"], 1)),
  };
  const radius = look.isDense === true ? 3 : (["interpolate", ["linear"], ["zoom"], 2, 3, 8, 4.5] as never);
  const strength = dim(look.isDense === true ? only(1, ["NEW"], 0.6) : 1);
  const dot = { "circle-color": colour, "circle-radius": radius, "circle-opacity": strength };
  const rim = {
    "circle-stroke-color": inks.selectedHalo,
    "circle-stroke-width": look.isDense === true ? 0 : 0.75,
    "circle-stroke-opacity": dim(1),
  };
  const halo = { "line-color": inks.selectedHalo, "line-width": 6 };
  const dotted = {
    "line-color": colours.REFUSED,
    "line-width": 2,
    "line-dasharray": [0.5, 1.5],
    "line-opacity": dim(1),
  };
  const bold = { "line-color": colour, "line-width": 3, "line-opacity": unlessRefused(1) };
  const large = { "circle-color": colour, "circle-radius": 7 };
  const ring = { "circle-stroke-color": inks.selected, "circle-stroke-width": 2 };
  const isBoth = ["all", isSelected, isDot] as FilterSpecification;
  return [
    { id: "plot-areas", type: "fill", ...there, paint: ground },
    { id: "plot-lines", type: "line", ...there, layout: ROUND, paint: line },
    { id: "plot-dashes", type: "line", ...there, paint: { "line-color": colour, ...dashed } },
    { id: "plot-dots", ...dots, filter: isDot, paint: { ...dot, ...rim } },
    { id: "selected-halo", ...selected, paint: { ...halo, "line-opacity": unlessRefused(0.9) } },
    { id: "outline-halo", ...outlines, filter: isSelected, paint: { ...halo, "line-opacity": 0.9 } },
    { id: "plot-outlines", ...outlines, filter: isThere, paint: dotted },
    { id: "selected-line", ...selected, paint: bold },
    { id: "selected-dot", ...dots, filter: isBoth, paint: { ...large, ...ring } },
  ];
}

const ROUND = { "line-join": "round" } as const;

function buildSketchLayers({ selectedHalo }: Inks, isDark: boolean): LayerSpecification[] {
  const colour = isDark ? "#ffffff" : "#14181b";
  const only = (type: "Polygon" | "Point"): FilterSpecification => ["==", ["geometry-type"], type];
  const source = "sketch";
  const line = { "line-color": colour, "line-width": 2, "line-dasharray": [2, 1.5] };
  const area = { "fill-color": colour, "fill-opacity": 0.12 };
  const corner = { "circle-color": colour, "circle-radius": 4.5 };
  const rim = { "circle-stroke-color": selectedHalo, "circle-stroke-width": 1.5 };
  return [
    { id: "sketch-area", type: "fill", source, filter: only("Polygon"), paint: area },
    { id: "sketch-line", type: "line", source, paint: line },
    { id: "sketch-corners", type: "circle", source, filter: only("Point"), paint: { ...corner, ...rim } },
  ];
}
