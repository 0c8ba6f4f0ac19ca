import { createPolygonLayer } from "../geometry/trees/create-layer.ts";
import type { AreaLayer } from "../geometry/trees/layer.ts";
import type { CellCoverage, Coverage, CoveragePieces } from "../snapshot/coverage.ts";
import type { LeftOutBox } from "../snapshot/left-out.ts";

/** A coverage that has borders. */
export type BoundedCoverage = Extract<Coverage, { readonly pieces: CoveragePieces }>;

/** The territory of a coverage: a piece of land, or the cells of a raster that are examined. */
export type Territory = LandTerritory | CellTerritory;

/** The examined cells of one raster. */
export interface CellTerritory {
  /** Distinguishes it from the others of its engine. */
  readonly id: number;
  readonly cells: CellCoverage;
  /** The land that the cells have to lie in; undefined where that is the whole earth. */
  readonly land: LandTerritory | undefined;
}

/** Land that sources cover: those that cover the same share one. */
export interface LandTerritory {
  /** Distinguishes it from the others of its engine. */
  readonly id: number;
  readonly layer: AreaLayer;
  /** The countries it is of; undefined where it is polygons of a source's own. */
  readonly countries: readonly string[] | undefined;
  /** For each piece of the layer, the countries whose territory holds it. */
  readonly countriesOf: CoveragePieces["countries"];
  /** True if it includes a piece of the layer. */
  holds(piece: number): boolean;
}

/**
 * The territories of an engine's sources. Each edition has its own copy of the land that it covers; equal copies
 * become one territory, so that a plot is measured against it once.
 */
export class Territories {
  readonly #known = new Map<CoveragePieces, LandTerritory>();
  readonly #distinct: { readonly coverage: BoundedCoverage; readonly territory: LandTerritory }[] = [];
  readonly #cells = new Map<CellCoverage, CellTerritory>();
  /** Editions of live sources come and go. */
  readonly #leftOut = new WeakMap<readonly LeftOutBox[], AreaLayer>();

  of(coverage: BoundedCoverage): LandTerritory;
  of(coverage: BoundedCoverage | CellCoverage): Territory;
  of(coverage: BoundedCoverage | CellCoverage): Territory {
    return coverage.extent === "cells" ? this.#ofCells(coverage) : this.#ofLand(coverage);
  }

  #ofCells(cells: CellCoverage): CellTerritory {
    let territory = this.#cells.get(cells);
    if (territory === undefined) {
      const land = cells.territory && this.#ofLand(cells.territory);
      territory = { id: this.#nextId(), cells, land };
      this.#cells.set(cells, territory);
    }
    return territory;
  }

  /** Boxes of features that were left out, as areas. */
  ofLeftOut(boxes: readonly LeftOutBox[]): AreaLayer {
    let layer = this.#leftOut.get(boxes);
    if (layer === undefined) {
      layer = createPolygonLayer(
        "left out",
        boxes.map((box) => [[toRing(box)]]),
      );
      this.#leftOut.set(boxes, layer);
    }
    return layer;
  }

  #nextId(): number {
    return this.#distinct.length + this.#cells.size;
  }

  #ofLand(coverage: BoundedCoverage): LandTerritory {
    const known = this.#known.get(coverage.pieces);
    if (known !== undefined) return known;
    const same = this.#distinct.find((other) => areEqual(other.coverage, coverage));
    const territory = same?.territory ?? createLandTerritory(coverage, this.#nextId());
    if (same === undefined) this.#distinct.push({ coverage, territory });
    this.#known.set(coverage.pieces, territory);
    return territory;
  }
}

/** Edges are short enough that none has two readings. */
function toRing([west, south, east, north]: LeftOutBox): Float64Array {
  const steps = [0, 1 / 4, 1 / 2, 3 / 4, 1].map((share) => west + (east - west) * share);
  const northward = steps.map((longitude) => [longitude, north] as const).reverse();
  const positions = [...steps.map((longitude) => [longitude, south] as const), ...northward];
  return Float64Array.from([...positions, positions[0]!].flat());
}

function createLandTerritory(coverage: BoundedCoverage, id: number): LandTerritory {
  const { layer, countries: countriesOf } = coverage.pieces;
  if (coverage.extent === "polygons") {
    return { id, layer, countries: undefined, countriesOf, holds: () => true };
  }
  const codes = new Set(coverage.countries);
  const included = countriesOf.map((countries) => countries.some((country) => codes.has(country)));
  return {
    id,
    layer,
    countries: coverage.countries,
    countriesOf,
    holds: (piece) => included[piece] === true,
  };
}

function areEqual(a: BoundedCoverage, b: BoundedCoverage): boolean {
  if (a.extent !== b.extent || !areSame(listCountryCodes(a), listCountryCodes(b))) return false;
  const [one, other] = [a.pieces, b.pieces];
  return (
    areSame(one.layer.areaRings, other.layer.areaRings) &&
    areSame(one.layer.ringStarts, other.layer.ringStarts) &&
    one.countries.every((countries, piece) => areSame(countries, other.countries[piece]!)) &&
    areSame(one.layer.xy, other.layer.xy)
  );
}

function listCountryCodes(coverage: BoundedCoverage): readonly string[] {
  return coverage.extent === "countries" ? coverage.countries : [];
}

function areSame<Item>(a: ArrayLike<Item>, b: ArrayLike<Item>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
