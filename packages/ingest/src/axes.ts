import type { CrsTable } from "@groundrule/engine";
import type { CoverageInput } from "@groundrule/engine/build";
import { AreaGeometry, type Place } from "@groundrule/formats";
import { createIngestError } from "./ingest-error.ts";

type Borders = Pick<typeof import("@groundrule/borders"), "hasBorders" | "piecesFor">;
type Box = readonly [west: number, south: number, east: number, north: number];

/** How far outside its region an area must lie before its axes are doubted, in degrees. */
const DOUBTED_DEGREES = 1;
/** Share of the decidable areas that must lie outside, and inside once swapped. */
const NEARLY_ALL = 0.95;

/**
 * Finds out whether a source has its positions latitude first. It is told the first position of each area as it stands
 * in the file, and where the area should lie: within the declared coverage, else within its country, else somewhere on
 * earth. Axes count as swapped where nearly all areas lie outside, and nearly all of those inside once swapped.
 */
export class AxesCheck {
  readonly #coverage: readonly Box[] | undefined;
  readonly #borders: Borders | undefined;
  readonly #crsTable: CrsTable | undefined;
  readonly #byCountry = new Map<string, readonly Box[] | undefined>();
  #judged = 0;
  #outside = 0;
  #insideSwapped = 0;
  #first: { readonly place: Place; readonly position: readonly [number, number] } | undefined;

  /** @param borders tell where countries lie; absent: no area tells its country */
  constructor(
    coverage: CoverageInput | undefined,
    borders: Borders | undefined,
    crsTable: CrsTable | undefined,
  ) {
    this.#coverage = coverage === undefined ? undefined : listCoverageBoxes(coverage);
    this.#borders = borders;
    this.#crsTable = crsTable;
  }

  /** @param country ISO 3166-1 alpha-3 of the area, where it tells one */
  add(geometry: unknown, crs: string | undefined, country: string | null, place: Place): void {
    const position = findFirstPosition(geometry);
    if (position === undefined) return;
    const [x, y] = position;
    const boxes = this.#coverage ?? (country === null ? undefined : this.#findBoxes(country));
    const toDegrees = this.#findTransform(crs);
    const here = toDegrees(x, y);
    if (boxes === undefined && isOnEarth(here)) return;
    this.#judged++;
    if (isOnEarth(here) && boxes!.some((box) => isWithin(box, here, DOUBTED_DEGREES))) return;
    this.#outside++;
    this.#first ??= { place, position };
    const swapped = toDegrees(y, x);
    if (!isOnEarth(swapped)) return;
    if (boxes === undefined || boxes.some((box) => isWithin(box, swapped, 0))) this.#insideSwapped++;
  }

  /**
   * Fails: `AXES_SWAPPED`.
   *
   * @param read how many features were read
   * @param isSwapped whether their axes were swapped already, as was asked for
   */
  check(read: number, isSwapped: boolean): void {
    const isKnown = this.#judged >= NEARLY_ALL * read;
    if (this.#first === undefined || !isKnown) return;
    if (this.#outside < NEARLY_ALL * this.#judged || this.#insideSwapped < NEARLY_ALL * this.#outside) return;
    const { place, position } = this.#first;
    const found = `[${position.join(", ")}], which lies outside where the source should lie, as ${this.#outside} of ${read} areas do`;
    const expected = "the longitude (or easting) first";
    const mend = isSwapped
      ? 'read the file without swapped axes: leave out --swap-axes, or "swap_axes" in "read" of the manifest'
      : 'once swapped they lie inside: give --swap-axes, or "read": {"swap_axes": true} in the manifest';
    throw createIngestError("AXES_SWAPPED", found, expected, { place, mend });
  }

  #findBoxes(country: string): readonly Box[] | undefined {
    if (!this.#byCountry.has(country)) {
      const isKnown = this.#borders?.hasBorders(country) === true;
      const boxes = isKnown ? listCountryBoxes([country], this.#borders!.piecesFor([country])) : undefined;
      this.#byCountry.set(country, boxes);
    }
    return this.#byCountry.get(country);
  }

  /** Transform of a CRS. An unknown CRS maps to a place nowhere, because preparing the area reports the fault. */
  #findTransform(crs: string | undefined): (x: number, y: number) => readonly [number, number] {
    const [, code] = /(?:EPSG:|EPSG:[0-9.]*:|EPSG\/[0-9.]+\/)([0-9]+)$/i.exec(crs ?? "") ?? [];
    const known = code === undefined || code === "4326" ? undefined : this.#crsTable?.find(Number(code));
    return (x, y) => {
      const position: [number, number] = [x, y];
      known?.transform(position);
      return position;
    };
  }
}

function listCoverageBoxes(coverage: CoverageInput): readonly Box[] | undefined {
  if (coverage.extent === "countries") return listCountryBoxes(coverage.countries, coverage.pieces);
  if (coverage.extent === "polygons")
    return coverage.pieces.flatMap(({ polygons }) => polygons.map(computeOuterRingBox));
  return undefined;
}

type Pieces = Extract<CoverageInput, { readonly pieces: unknown }>["pieces"];

function listCountryBoxes(countries: readonly string[], pieces: Pieces): readonly Box[] {
  const own = pieces.filter((piece) => piece.countries.some((code) => countries.includes(code)));
  return own.flatMap(({ polygons }) => polygons.map(computeOuterRingBox));
}

function computeOuterRingBox(rings: readonly Float64Array[]): Box {
  const [outer] = rings;
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < outer!.length; i += 2) {
    west = Math.min(west, outer![i]!);
    east = Math.max(east, outer![i]!);
    south = Math.min(south, outer![i + 1]!);
    north = Math.max(north, outer![i + 1]!);
  }
  return [west, south, east, north];
}

function isOnEarth([longitude, latitude]: readonly [number, number]): boolean {
  return Math.abs(longitude) <= 540 && Math.abs(latitude) <= 90;
}

function isWithin(
  [west, south, east, north]: Box,
  [longitude, latitude]: readonly [number, number],
  margin: number,
): boolean {
  const middle = (west + east) / 2;
  const turned = longitude - 360 * Math.round((longitude - middle) / 360);
  return (
    turned >= west - margin &&
    turned <= east + margin &&
    latitude >= south - margin &&
    latitude <= north + margin
  );
}

function findFirstPosition(geometry: unknown): readonly [number, number] | undefined {
  if (geometry instanceof AreaGeometry) {
    const ring = geometry.polygons[0]?.[0];
    return ring === undefined || ring.length < 2 ? undefined : [ring[0]!, ring[1]!];
  }
  let value = (geometry as { readonly coordinates?: unknown } | null)?.coordinates;
  while (Array.isArray(value) && Array.isArray(value[0])) [value] = value;
  if (!Array.isArray(value)) return undefined;
  const [x, y] = value as readonly unknown[];
  return typeof x === "number" && typeof y === "number" ? [x, y] : undefined;
}
