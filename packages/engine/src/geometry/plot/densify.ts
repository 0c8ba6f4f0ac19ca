import { computeBbox } from "../earth/bbox.ts";
import { cosDegrees } from "../earth/elementary.ts";
import { shiftLongitudes } from "../noding/mend-rings.ts";
import type { Transform } from "./crs.ts";

/** How far an edge may lie from the line that the projected edge is on the earth, metres: 1 cm, less what samples miss. */
const TOLERANCE_METERS = 0.008;
/** At least what a degree of latitude, or one of longitude on the equator, measures anywhere, metres. */
const METERS_PER_DEGREE = 111_700;
/**
 * Degrees of longitude and latitude up to which no edge has to be looked at, 56 m: within 85° of the equator it
 * bends less than 2 mm, in every projection that maps have.
 */
const SHORT_DEGREES = 0.0005;
const SHORT_BELOW_LATITUDE = 85;
/** Up to this length, 1 km, an edge bends only one way, and its middle shows how far. */
const PLAIN_DEGREES = 0.01;
/** Edges longer than this are halved whatever their samples show: a long line may bend to and fro. */
const LONG_DEGREES = 4;
/** Edges so short are not halved: at a pole they may reach round it. */
const SHORTEST_METERS = 0.02;

/** A ring or line of projected positions whose edges were filled. */
export interface FilledRing {
  /** Flat `[lon, lat, …]`: every position that was sent, and those between. */
  readonly xy: Float64Array;
  /** For each position the index of the one that was sent, or of the last one before it. */
  readonly sent: Uint32Array;
}

/**
 * Fills the edges of a projected ring or line with positions, so that the edges, straight in longitude and latitude,
 * lie within 1 cm of those that are straight in the projection: an edge of 10 km bends by 2 m in a UTM zone.
 *
 * An edge is halved until samples of it lie close enough: its middle, and the quarters of a longer one. Both ends
 * alike decide where it is cut, so that neighbours who share an edge share all positions on it, whichever way they
 * run.
 *
 * @param projected flat `[x, y, …]` as sent
 * @param xy the same in longitude and latitude, degrees
 * @param most positions that the result may have
 * @returns undefined where it would have more
 */
export function fillEdges(
  projected: Float64Array,
  xy: Float64Array,
  transform: Transform,
  most: number,
): FilledRing | undefined {
  const edges = new EdgeFiller(transform, most - xy.length / 2);
  for (let i = 0; i + 2 < xy.length; i += 2) {
    if (!edges.fill(projected, xy, i)) return undefined;
  }
  return edges.between.length === 0 ? { xy, sent: listIndices(xy.length / 2) } : edges.joined(xy);
}

/**
 * The rings of one polygon, or one line, on longitudes that run on past ±180 rather than jump; holes on the turn of
 * their outer ring. A ring round a pole is led to it along its first meridian, as land round a pole is written; where
 * two go round one, all stay as they are, for a belt is told from two caps by others.
 */
export function runOnRingLongitudes(rings: readonly FilledRing[], areClosed: boolean): readonly FilledRing[] {
  const ran = rings.map(({ xy, sent }) => ({ xy: runOnLongitudes(xy), sent }));
  const turns = areClosed ? ran.map(({ xy }) => Math.round((xy.at(-2)! - xy[0]!) / 360)) : [];
  const turning = turns.findIndex((turn) => turn !== 0);
  if (turning !== turns.findLastIndex((turn) => turn !== 0)) return rings;
  if (turning !== -1) ran[turning] = closeRingAtPole(ran[turning]!, turns[turning]!);
  const middle = computeMiddleLongitude(ran[0]!.xy);
  return ran.map(({ xy, sent }) => {
    const shift = 360 * Math.round((middle - computeMiddleLongitude(xy)) / 360);
    return { xy: shiftLongitudes(xy, shift), sent };
  });
}

function runOnLongitudes(xy: Float64Array): Float64Array {
  let turns = 0;
  return xy.map((value, i) => {
    if (i % 2 === 1 || i === 0) return value;
    turns -= Math.round((value - xy[i - 2]!) / 360);
    return turns === 0 ? value : value + 360 * turns;
  });
}

/** A ring whose end lies a turn from its start, closed by way of the pole that it goes round. */
function closeRingAtPole({ xy, sent }: FilledRing, turn: number): FilledRing {
  const pole = xy[1]! < 0 ? -90 : 90;
  const [longitude, latitude] = [xy[0]!, xy[1]!];
  const last = sent.at(-1)!;
  const led = new Float64Array(xy.length + 6);
  led.set(xy);
  led.set([longitude + 360 * turn, pole, longitude, pole, longitude, latitude], xy.length);
  const places = new Uint32Array(sent.length + 3).fill(last);
  places.set(sent);
  return { xy: led, sent: places };
}

function computeMiddleLongitude(xy: Float64Array): number {
  const [west, , east] = computeBbox(xy);
  return (west + east) / 2;
}

function listIndices(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, i) => i);
}

/** A projected position with its place on earth. */
interface Place {
  readonly x: number;
  readonly y: number;
  readonly longitude: number;
  readonly latitude: number;
}

class EdgeFiller {
  readonly #transform: Transform;
  readonly #most: number;
  readonly #out: [number, number] = [0, 0];
  /** Positions to be put in: of each the edge that it lies on, longitude and latitude, in order. */
  readonly between: { readonly edge: number; readonly longitude: number; readonly latitude: number }[] = [];

  constructor(transform: Transform, most: number) {
    this.#transform = transform;
    this.#most = most;
  }

  /** Fills the edge from position `at` to the next. Returns false where there are too many positions. */
  fill(projected: Float64Array, xy: Float64Array, at: number): boolean {
    const longitude = wrapLongitudeDifference(xy[at + 2]! - xy[at]!);
    const latitude = xy[at + 3]! - xy[at + 1]!;
    if (
      Math.abs(longitude) <= SHORT_DEGREES &&
      Math.abs(latitude) <= SHORT_DEGREES &&
      Math.abs(xy[at + 1]!) <= SHORT_BELOW_LATITUDE
    ) {
      return true;
    }
    const from = readPlace(projected, xy, at);
    const to = readPlace(projected, xy, at + 2);
    const isForward = from.x < to.x || (from.x === to.x && from.y <= to.y);
    const start = this.between.length;
    const isFilled = this.#halve(isForward ? from : to, isForward ? to : from, at / 2);
    if (!isForward) reverseListFrom(this.between, start);
    return isFilled;
  }

  joined(xy: Float64Array): FilledRing {
    const count = xy.length / 2 + this.between.length;
    const filled = new Float64Array(2 * count);
    const sent = new Uint32Array(count);
    let next = 0;
    let put = 0;
    const add = (index: number, longitude: number, latitude: number): void => {
      sent[put] = index;
      filled[2 * put] = longitude;
      filled[2 * put + 1] = latitude;
      put++;
    };
    for (let i = 0; i < xy.length / 2; i++) {
      add(i, xy[2 * i]!, xy[2 * i + 1]!);
      for (; this.between[next]?.edge === i; next++) {
        add(i, this.between[next]!.longitude, this.between[next]!.latitude);
      }
    }
    return { xy: filled, sent };
  }

  #halve(from: Place, to: Place, edge: number): boolean {
    const middle = this.#middleOf(from, to);
    if (middle === undefined || this.#isStraight(from, middle, to)) return true;
    if (this.between.length >= this.#most) return false;
    if (!this.#halve(from, middle, edge)) return false;
    this.between.push({ edge, longitude: middle.longitude, latitude: middle.latitude });
    return this.#halve(middle, to, edge);
  }

  #isStraight(from: Place, middle: Place, to: Place): boolean {
    if (metersToEdge(middle, from, to) > TOLERANCE_METERS) return false;
    const reach = Math.max(
      Math.abs(wrapLongitudeDifference(to.longitude - from.longitude)),
      Math.abs(to.latitude - from.latitude),
    );
    if (reach <= PLAIN_DEGREES) return true;
    if (reach > LONG_DEGREES) return false;
    const before = this.#middleOf(from, middle);
    const after = this.#middleOf(middle, to);
    return [before, after].every(
      (quarter) => quarter === undefined || metersToEdge(quarter, from, to) <= TOLERANCE_METERS,
    );
  }

  /** The middle of an edge; undefined of one too short to be halved, and where the projection has no place. */
  #middleOf(from: Place, to: Place): Place | undefined {
    if (metersBetween(from, to) <= SHORTEST_METERS) return undefined;
    const x = from.x + (to.x - from.x) / 2;
    const y = from.y + (to.y - from.y) / 2;
    this.#out[0] = x;
    this.#out[1] = y;
    this.#transform(this.#out);
    const [longitude, latitude] = this.#out;
    if (!Number.isFinite(longitude) || !Number.isFinite(latitude)) return undefined;
    return { x, y, longitude, latitude };
  }
}

function readPlace(projected: Float64Array, xy: Float64Array, at: number): Place {
  return { x: projected[at]!, y: projected[at + 1]!, longitude: xy[at]!, latitude: xy[at + 1]! };
}

/** Metres, or more, from a place to the edge between two others, in a plane about the place. */
function metersToEdge(place: Place, from: Place, to: Place): number {
  const across = METERS_PER_DEGREE * cosDegrees(place.latitude);
  const ax = across * wrapLongitudeDifference(from.longitude - place.longitude);
  const ay = METERS_PER_DEGREE * (from.latitude - place.latitude);
  const bx = across * wrapLongitudeDifference(to.longitude - place.longitude);
  const by = METERS_PER_DEGREE * (to.latitude - place.latitude);
  const dx = bx - ax;
  const dy = by - ay;
  const length2 = dx * dx + dy * dy;
  const along = length2 === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length2));
  const x = ax + along * dx;
  const y = ay + along * dy;
  return Math.sqrt(x * x + y * y);
}

/** Metres between two places, roughly. */
function metersBetween(from: Place, to: Place): number {
  const nearerEquator = Math.min(Math.abs(from.latitude), Math.abs(to.latitude));
  const x = cosDegrees(nearerEquator) * wrapLongitudeDifference(to.longitude - from.longitude);
  const y = to.latitude - from.latitude;
  return METERS_PER_DEGREE * Math.sqrt(x * x + y * y);
}

/** A difference of longitudes the short way round. */
function wrapLongitudeDifference(degrees: number): number {
  return degrees - 360 * Math.round(degrees / 360);
}

function reverseListFrom<T>(list: T[], start: number): void {
  for (let i = start, j = list.length - 1; i < j; i++, j--) {
    const kept = list[i]!;
    list[i] = list[j]!;
    list[j] = kept;
  }
}
