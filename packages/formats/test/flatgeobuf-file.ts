import { Builder } from "flatbuffers";
import { GEOMETRY_TYPES, type Geometry } from "./wkb-encoder.ts";

const TYPES = ["Unknown", ...GEOMETRY_TYPES];
const COLUMN_TYPES = [
  "Byte",
  "UByte",
  "Bool",
  "Short",
  "UShort",
  "Int",
  "UInt",
  "Long",
  "ULong",
  "Float",
  "Double",
  "String",
  "Json",
  "DateTime",
  "Binary",
];

/** Content of a test's FlatGeobuf. */
export interface FlatGeobufFile {
  readonly geometryType?: string;
  /** Names and types of columns. */
  readonly columns?: readonly (readonly [name: string, type: string])[];
  readonly crs?: {
    readonly org?: string;
    readonly code?: number;
    readonly name?: string;
    readonly codeText?: string;
  };
  readonly features?: readonly FlatGeobufFeature[];
  /** Number of features in the header, regardless of how many follow. */
  readonly featureCount?: number;
  readonly nodeSize?: number;
}

export interface FlatGeobufFeature {
  readonly geometry?: Geometry | null;
  /** Values in the order of the columns; undefined: absent. */
  readonly values?: readonly unknown[];
  /** In place of values: the bytes. */
  readonly bytes?: readonly number[];
}

/** Writes a FlatGeobuf with Google's builder, an index of zeros where a node size is asked for. */
export function encodeFlatGeobuf(file: FlatGeobufFile): Uint8Array {
  const { columns = [], features = [], nodeSize = 0 } = file;
  const count = file.featureCount ?? features.length;
  const header = encodeFileHeader(file, count);
  let nodes = nodeSize === 0 ? 0 : features.length;
  for (let level = nodes; level > 0; ) {
    level = Math.ceil(level / nodeSize);
    nodes += level;
    if (level === 1) break;
  }
  const parts = features.map((feature) => encodeFeature(feature, columns, file.geometryType ?? "Unknown"));
  return Buffer.concat([
    Uint8Array.of(0x66, 0x67, 0x62, 3, 0x66, 0x67, 0x62, 1),
    header,
    new Uint8Array(40 * nodes),
    ...parts,
  ]);
}

function encodeFileHeader(
  { geometryType = "Unknown", columns = [], crs, nodeSize = 0 }: FlatGeobufFile,
  count: number,
): Uint8Array {
  const builder = new Builder();
  const tables = columns.map(([name, type]) => {
    const text = builder.createString(name);
    builder.startObject(11);
    builder.addFieldOffset(0, text, 0);
    builder.addFieldInt8(1, COLUMN_TYPES.indexOf(type), 0);
    return builder.endObject();
  });
  const columnsAt = buildOffsetVector(builder, tables);
  let crsAt = 0;
  if (crs !== undefined) {
    const texts = [crs.org, crs.name, crs.codeText].map((text) =>
      text === undefined ? 0 : builder.createString(text),
    );
    builder.startObject(6);
    builder.addFieldOffset(0, texts[0]!, 0);
    builder.addFieldInt32(1, crs.code ?? 0, 0);
    builder.addFieldOffset(2, texts[1]!, 0);
    builder.addFieldOffset(5, texts[2]!, 0);
    crsAt = builder.endObject();
  }
  builder.startObject(14);
  builder.addFieldInt8(2, TYPES.indexOf(geometryType), 0);
  builder.addFieldOffset(7, columnsAt, 0);
  builder.addFieldInt64(8, BigInt(count), 0n);
  builder.addFieldInt16(9, nodeSize, 16);
  builder.addFieldOffset(10, crsAt, 0);
  builder.finishSizePrefixed(builder.endObject());
  return builder.asUint8Array();
}

function encodeFeature(
  feature: FlatGeobufFeature,
  columns: FlatGeobufFile["columns"] & object,
  layerType: string,
): Uint8Array {
  const builder = new Builder();
  const bytes = feature.bytes ?? encodeProperties(feature.values ?? [], columns);
  builder.startVector(1, bytes.length, 1);
  for (let i = bytes.length - 1; i >= 0; i--) builder.addInt8((bytes[i]! << 24) >> 24);
  const properties = builder.endVector();
  const { geometry } = feature;
  const at =
    geometry === undefined || geometry === null
      ? 0
      : buildGeometry(builder, geometry, layerType === "Unknown");
  builder.startObject(3);
  builder.addFieldOffset(0, at, 0);
  builder.addFieldOffset(1, properties, 0);
  builder.finishSizePrefixed(builder.endObject());
  return builder.asUint8Array();
}

function buildGeometry(
  builder: Builder,
  { type, coordinates, geometries }: Geometry,
  tellsType: boolean,
): number {
  let parts: number[] = [];
  let xy: number[] = [];
  let ends: number[] = [];
  if (type === "GeometryCollection") parts = geometries!.map((part) => buildGeometry(builder, part, true));
  else if (type === "MultiPolygon")
    parts = (coordinates as never[]).map((part) =>
      buildGeometry(builder, { type: "Polygon", coordinates: part }, false),
    );
  else {
    xy = (coordinates as unknown[]).flat(Infinity) as number[];
    if (type === "Point" && xy.length === 0) xy = [Number.NaN, Number.NaN];
    if (type === "Polygon" || type === "MultiLineString") {
      let end = 0;
      ends = (coordinates as unknown[][]).map((ring) => (end += ring.length));
      // One ring needs no end; GDAL writes none.
      if (ends.length === 1 && type === "Polygon") ends = [];
    }
  }
  builder.startVector(4, ends.length, 4);
  for (const end of ends.toReversed()) builder.addInt32(end);
  const endsAt = builder.endVector();
  builder.startVector(8, xy.length, 8);
  for (const value of xy.toReversed()) builder.addFloat64(value);
  const xyAt = builder.endVector();
  const partsAt = buildOffsetVector(builder, parts);
  builder.startObject(8);
  if (ends.length > 0) builder.addFieldOffset(0, endsAt, 0);
  if (xy.length > 0) builder.addFieldOffset(1, xyAt, 0);
  if (tellsType) builder.addFieldInt8(6, TYPES.indexOf(type), 0);
  if (parts.length > 0) builder.addFieldOffset(7, partsAt, 0);
  return builder.endObject();
}

function buildOffsetVector(builder: Builder, offsets: readonly number[]): number {
  builder.startVector(4, offsets.length, 4);
  for (const offset of offsets.toReversed()) builder.addOffset(offset);
  return builder.endVector();
}

function encodeProperties(values: readonly unknown[], columns: FlatGeobufFile["columns"] & object): number[] {
  const bytes: number[] = [];
  const write = (size: number, set: (view: DataView) => void): void => {
    const view = new DataView(new ArrayBuffer(size));
    set(view);
    bytes.push(...new Uint8Array(view.buffer));
  };
  for (const [i, value] of values.entries()) {
    if (value === undefined) continue;
    write(2, (view) => view.setUint16(0, i, true));
    const number = value as number;
    switch (columns[i]![1]) {
      case "Byte":
        write(1, (view) => view.setInt8(0, number));
        break;
      case "UByte":
      case "Bool":
        write(1, (view) => view.setUint8(0, Number(value)));
        break;
      case "Short":
        write(2, (view) => view.setInt16(0, number, true));
        break;
      case "UShort":
        write(2, (view) => view.setUint16(0, number, true));
        break;
      case "Int":
        write(4, (view) => view.setInt32(0, number, true));
        break;
      case "UInt":
        write(4, (view) => view.setUint32(0, number, true));
        break;
      case "Long":
        write(8, (view) => view.setBigInt64(0, value as bigint, true));
        break;
      case "ULong":
        write(8, (view) => view.setBigUint64(0, value as bigint, true));
        break;
      case "Float":
        write(4, (view) => view.setFloat32(0, number, true));
        break;
      case "Double":
        write(8, (view) => view.setFloat64(0, number, true));
        break;
      default: {
        const text = typeof value === "string" ? Buffer.from(value) : (value as Uint8Array);
        write(4, (view) => view.setUint32(0, text.length, true));
        bytes.push(...text);
      }
    }
  }
  return bytes;
}
