import type { PbfWriter } from "pbf";
import { EXTENT } from "./tile-place.ts";
import type { TileRing } from "./tile-ring.ts";

/** A feature of a vector tile. */
export interface TileFeature {
  readonly id?: number;
  readonly rings: readonly TileRing[];
  readonly properties?: Readonly<Record<string, string | number | null>>;
}

// Field numbers and commands: Mapbox Vector Tile Specification 2.1, sections 4.1 to 4.4.
const VERSION = 2;
const POLYGON = 3;
const MOVE_TO = 1;
const LINE_TO = 2;
const CLOSE_PATH = 7;

/** Writes one layer of a vector tile; properties that are null are left out. */
export function writeLayer(writer: PbfWriter, name: string, features: readonly TileFeature[]): void {
  writer.writeMessage(3, writeFeatures, { name, features });
}

function writeFeatures(
  { name, features }: { readonly name: string; readonly features: readonly TileFeature[] },
  layer: PbfWriter,
): void {
  const keys = new Map<string, number>();
  const values = new Map<string | number, number>();
  layer.writeVarintField(15, VERSION);
  layer.writeStringField(1, name);
  for (const feature of features) {
    const tags = Object.entries(feature.properties ?? {}).flatMap(([key, value]) =>
      value === null ? [] : [toNumber(keys, key), toNumber(values, value)],
    );
    layer.writeMessage(2, writeFeature, { feature, tags });
  }
  for (const key of keys.keys()) layer.writeStringField(3, key);
  for (const value of values.keys()) layer.writeMessage(4, writeValue, value);
  layer.writeVarintField(5, EXTENT);
}

function writeFeature(
  { feature, tags }: { readonly feature: TileFeature; readonly tags: number[] },
  writer: PbfWriter,
): void {
  if (feature.id !== undefined) writer.writeVarintField(1, feature.id);
  writer.writePackedVarint(2, tags);
  writer.writeVarintField(3, POLYGON);
  writer.writePackedVarint(4, encodeGeometryCommands(feature.rings));
}

function writeValue(value: string | number, writer: PbfWriter): void {
  if (typeof value === "string") writer.writeStringField(1, value);
  else if (Number.isInteger(value)) writer.writeVarintField(5, value);
  else writer.writeDoubleField(3, value);
}

function toNumber<Key>(table: Map<Key, number>, key: Key): number {
  const known = table.get(key);
  if (known !== undefined) return known;
  table.set(key, table.size);
  return table.size - 1;
}

function encodeGeometryCommands(rings: readonly TileRing[]): number[] {
  const commands: number[] = [];
  let [atX, atY] = [0, 0];
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      if (i === 0) commands.push(encodeGeometryCommand(MOVE_TO, 1));
      if (i === 2) commands.push(encodeGeometryCommand(LINE_TO, ring.length / 2 - 1));
      commands.push(encodeZigzag(ring[i]! - atX), encodeZigzag(ring[i + 1]! - atY));
      [atX, atY] = [ring[i]!, ring[i + 1]!];
    }
    commands.push(encodeGeometryCommand(CLOSE_PATH, 1));
  }
  return commands;
}

function encodeGeometryCommand(id: number, count: number): number {
  return id | (count << 3);
}

function encodeZigzag(value: number): number {
  return (value << 1) ^ (value >> 31);
}
