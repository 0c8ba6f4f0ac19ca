import type { Bounds } from "../layers/plot-features.ts";
import type { PageMap } from "../page-map.ts";
import type { Position } from "./coordinates.ts";

/** Position of an example relative to the drawn areas. */
export type ExamplePlace = "edge" | "near" | "away";

/** How often the map zooms out, two levels at a time, to find a place for an example. */
const WIDENED = 3;
/** Approximate share of an example within the area whose edge it crosses. */
const EXAMPLE_PART = 0.4;

/** Finds places for example plots on the map. */
export class ExampleFinder {
  readonly #page: PageMap;

  constructor(page: PageMap) {
    this.#page = page;
  }

  /**
   * A position in view for an example plot: on the edge of the drawn area nearest to the middle of the map, a few
   * kilometres outside of it, or far from every drawn area; undefined if there is none. Cells are everywhere: with a
   * raster drawn, the cell nearest to the middle of the map counts as across their edges, a place without any cells near it as near, and
   * only areas with rings count for far.
   */
  #findInView(place: ExamplePlace): Position | undefined {
    const rasters = this.#page.fillLayers(true);
    if (place !== "away" && rasters.length > 0)
      return place === "edge" ? this.#findCell(rasters) : this.#findEdgeOfCells(rasters);
    const layers = this.#page.fillLayers().filter((layer) => !rasters.includes(layer));
    if (layers.length === 0) return undefined;
    const { clientWidth, clientHeight } = this.#page.map.getContainer();
    // Ground outside of the view is not known to be free.
    const isFree = (position: Position): boolean => {
      const at = this.#page.map.project(position as [number, number]);
      const isInView = at.x >= 0 && at.y >= 0 && at.x <= clientWidth && at.y <= clientHeight;
      return isInView && this.#page.map.queryRenderedFeatures(at, { layers }).length === 0;
    };
    /** True if nothing is drawn there or at these distances around it, in kilometres. */
    const isFreeAround = (at: Position, ...distances: readonly number[]): boolean =>
      isFree(at) && distances.every((km) => listSurroundingPositions(at, km).every(isFree));
    if (place === "away") return this.#gridInView().find((at) => isFreeAround(at, 2, 5, 8, 12));
    const edge = this.#edgeInView(layers);
    if (edge === undefined) return undefined;
    if (place === "edge") {
      const farFromPart = (at: Position): number => {
        const inside = [0.4, 0.8]
          .flatMap((km) => listSurroundingPositions(at, km))
          .filter((each) => !isFree(each));
        return Math.abs(inside.length / 16 - EXAMPLE_PART);
      };
      return [edge, ...listSurroundingPositions(edge, 0.3), ...listSurroundingPositions(edge, 0.6)].reduce(
        (best, at) => (farFromPart(at) < farFromPart(best) ? at : best),
      );
    }
    return [3, 4, 6]
      .flatMap((km) => listSurroundingPositions(edge, km))
      .find((at) => isFreeAround(at, 0.7, 1.5));
  }

  #findCell(layers: string[]): Position | undefined {
    return [this.#page.centre, ...this.#gridInView()].find(
      (at) =>
        this.#page.map.queryRenderedFeatures(this.#page.map.project(at as [number, number]), { layers })
          .length > 0,
    );
  }

  /**
   * A position around which a plot has no cells of some raster while its neighbours do, and no area with rings except
   * those that cover the whole view.
   */
  #findEdgeOfCells(rasters: readonly string[]): Position | undefined {
    const layers = this.#page.fillLayers();
    type Place = [x: number, y: number];
    const drawnIn = (box: Place | [Place, Place]): string[] =>
      this.#page.map
        .queryRenderedFeatures(box, { layers })
        .map(({ layer: { id }, properties }) =>
          rasters.includes(id) ? id : `${id} ${properties.source_id}`,
        );
    /** Sources drawn in a square, with this many kilometres from its middle to each side. */
    const drawnAround = (at: Position, kilometres: number): string[] => {
      const corners = listSurroundingPositions(at, kilometres * Math.SQRT2);
      // The northwest and the southeast corner.
      const [from, to] = [3, 7].map((i) => this.#page.map.project(corners[i] as Place));
      return drawnIn([
        [from!.x, from!.y],
        [to!.x, to!.y],
      ]);
    };
    const { clientWidth: right, clientHeight: bottom } = this.#page.map.getContainer();
    const corners: Place[] = [[1, 1], [right - 1, 1], [1, bottom - 1], [right - 1, bottom - 1]]; // biome-ignore format: a line
    const [first = [], ...others] = corners.map(drawnIn);
    const everywhere = first.filter((area) => others.every((each) => each.includes(area)));
    return this.#gridInView().find((at) => {
      const here = drawnAround(at, 1.2);
      if (here.some((each) => !rasters.includes(each) && !everywhere.includes(each))) return false;
      const missing = rasters.filter((raster) => !here.includes(raster));
      return missing.length > 0 && drawnAround(at, 6).some((each) => missing.includes(each));
    });
  }

  /**
   * Like `#findInView`, but zooms out until a place far from all areas is in view, and moves to the rasters if
   * none of their cells is.
   */
  async find(
    place: ExamplePlace,
    findRasters: () => Promise<Bounds | undefined>,
  ): Promise<Position | undefined> {
    for (let steps = 0; ; steps++) {
      const found = this.#findInView(place);
      if (found !== undefined || steps === (place === "away" ? WIDENED : 1)) return found;
      const rasters = place === "away" ? undefined : await findRasters();
      if (rasters === undefined && place !== "away") return undefined;
      const drawn = this.#page.map.once("idle");
      if (rasters === undefined) this.#page.map.jumpTo({ zoom: this.#page.map.getZoom() - 2 });
      else this.#page.map.fitBounds([...rasters], { duration: 0 });
      await drawn;
    }
  }

  /** Positions all over the view, those in its middle first. */
  #gridInView(): readonly Position[] {
    const { clientWidth, clientHeight } = this.#page.map.getContainer();
    const parts = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82];
    return parts
      .flatMap((y, i) => parts.map((x, j) => ({ x, y, far: i + j })))
      .sort((a, b) => a.far - b.far)
      .map(({ x, y }): Position => {
        const { lng, lat } = this.#page.map.unproject([x * clientWidth, y * clientHeight]);
        return [lng, lat];
      });
  }

  #edgeInView(layers: string[]): Position | undefined {
    const { clientWidth, clientHeight } = this.#page.map.getContainer();
    const isWell = (at: { readonly x: number; readonly y: number }): boolean =>
      Math.abs(at.x / clientWidth - 0.5) < 0.35 && Math.abs(at.y / clientHeight - 0.5) < 0.35;
    let nearest: { readonly position: Position; readonly pixels: number } | undefined;
    for (const { geometry } of this.#page.map.queryRenderedFeatures({ layers })) {
      const polygons =
        geometry.type === "Polygon"
          ? [geometry.coordinates]
          : geometry.type === "MultiPolygon"
            ? geometry.coordinates
            : [];
      for (const [outer = []] of polygons) {
        for (const [x, y] of outer) {
          const position: Position = [x!, y!];
          const pixels = this.#page.pixelsFromCentre(position);
          if (
            !isWell(this.#page.map.project(position as [number, number])) ||
            pixels >= (nearest?.pixels ?? Infinity)
          )
            continue;
          nearest = { position, pixels };
        }
      }
    }
    return nearest?.position;
  }
}

/** Eight positions around one, at a distance in kilometres: accurate enough to choose a place, not to measure. */
function listSurroundingPositions([longitude, latitude]: Position, kilometres: number): readonly Position[] {
  const up = kilometres / 111.2;
  const aside = up / Math.max(0.1, Math.cos((latitude * Math.PI) / 180));
  return Array.from({ length: 8 }, (_, i): Position => {
    const angle = (i * Math.PI) / 4;
    return [longitude + aside * Math.cos(angle), latitude + up * Math.sin(angle)];
  });
}
