/** How a geometry is written as well-known binary. */
export interface WkbForm {
  readonly isLittle: boolean;
  readonly hasZ: boolean;
  readonly hasM: boolean;
  /** The extended form of PostGIS, with flags in the type, in place of ISO's thousands. */
  readonly isExtended: boolean;
  readonly srid?: number;
}

export const PLAIN_WKB: WkbForm = { isLittle: true, hasZ: false, hasM: false, isExtended: false };

/** A geometry of GeoJSON, loosely. */
export interface Geometry {
  readonly type: string;
  readonly coordinates?: unknown;
  readonly geometries?: readonly Geometry[];
}

/** Names of geometry types, by their number less one. */
export const GEOMETRY_TYPES: readonly string[] = [
  "Point",
  "LineString",
  "Polygon",
  "MultiPoint",
  "MultiLineString",
  "MultiPolygon",
  "GeometryCollection",
];

/** Writes a geometry of GeoJSON as well-known binary; the reader's opposite, sharing nothing with it. */
export function encodeWkb(geometry: Geometry, form: WkbForm = PLAIN_WKB): Uint8Array {
  const bytes: number[] = [];
  appendGeometry(geometry, form, bytes, form.srid);
  return Uint8Array.from(bytes);
}

function appendGeometry(geometry: Geometry, form: WkbForm, bytes: number[], srid?: number): void {
  const type = GEOMETRY_TYPES.indexOf(geometry.type) + 1;
  bytes.push(form.isLittle ? 1 : 0);
  let code = type;
  if (form.isExtended)
    code += (form.hasZ ? 2 ** 31 : 0) + (form.hasM ? 2 ** 30 : 0) + (srid === undefined ? 0 : 2 ** 29);
  else code += (form.hasZ ? 1000 : 0) + (form.hasM ? 2000 : 0);
  appendUint32(code, form, bytes);
  if (form.isExtended && srid !== undefined) appendUint32(srid, form, bytes);
  const coordinates = geometry.coordinates as never[];
  switch (type) {
    case 1:
      appendPosition(coordinates.length === 0 ? [Number.NaN, Number.NaN] : coordinates, form, bytes);
      break;
    case 2:
      appendList(coordinates, form, bytes, (position) => appendPosition(position, form, bytes));
      break;
    case 3:
      appendList(coordinates, form, bytes, (ring: number[][]) =>
        appendList(ring, form, bytes, (position) => appendPosition(position, form, bytes)),
      );
      break;
    case 7:
      appendList(geometry.geometries!, form, bytes, (part) => appendGeometry(part, form, bytes));
      break;
    default:
      appendList(coordinates, form, bytes, (part) =>
        appendGeometry({ type: GEOMETRY_TYPES[type - 4]!, coordinates: part }, form, bytes),
      );
  }
}

function appendList<T>(items: readonly T[], form: WkbForm, bytes: number[], write: (item: T) => void): void {
  appendUint32(items.length, form, bytes);
  for (const item of items) write(item);
}

function appendPosition(position: readonly number[], form: WkbForm, bytes: number[]): void {
  const numbers = [position[0]!, position[1]!];
  if (form.hasZ) numbers.push(7.5);
  if (form.hasM) numbers.push(-3);
  for (const number of numbers) {
    const eight = new DataView(new ArrayBuffer(8));
    eight.setFloat64(0, number, form.isLittle);
    bytes.push(...new Uint8Array(eight.buffer));
  }
}

function appendUint32(value: number, form: WkbForm, bytes: number[]): void {
  const four = new DataView(new ArrayBuffer(4));
  four.setUint32(0, value, form.isLittle);
  bytes.push(...new Uint8Array(four.buffer));
}
