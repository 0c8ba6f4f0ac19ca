import { createSeededRandom } from "@groundrule/testing/random";
import { expect } from "vitest";
import { AreaGeometry } from "../src/area-geometry.ts";
import { FormatError } from "../src/format-error.ts";
import type { Feature, OpenTable, Row } from "../src/format-reader.ts";

export const SQUARE = { type: "Polygon", coordinates: [[[0, 0], [1, 0], [1, 1], [0, 0]]] }; // biome-ignore format: a square

/** A geometry as GeoJSON has it. */
export function toPlainGeometry(geometry: unknown): unknown {
  return geometry instanceof AreaGeometry ? geometry.toGeoJson() : geometry;
}

export async function collectItems<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const read: Item[] = [];
  for await (const item of items) read.push(item);
  return read;
}

/** The features of a table, and what it says of them. */
export async function readTableFeatures(
  opening: Promise<OpenTable>,
): Promise<Pick<OpenTable, "layer" | "crs" | "format" | "isPacked"> & { readonly features: Feature[] }> {
  const table = await opening;
  try {
    const { layer, crs, format, isPacked } = table;
    return { layer, crs, format, isPacked, features: await collectItems(table.features()) };
  } finally {
    await table.close();
  }
}

export async function readTableRows(opening: Promise<OpenTable>): Promise<Row[]> {
  const table = await opening;
  try {
    return await collectItems(table.rows());
  } finally {
    await table.close();
  }
}

/** The error that a reading is refused with. */
export async function catchFormatError(reading: Promise<unknown>): Promise<FormatError> {
  const error = await reading.then(
    () => new Error("was read"),
    (thrown: unknown) => thrown,
  );
  if (error instanceof FormatError) return error;
  throw error;
}

/** Reads each beginning of a file, which must be refused as damaged. */
export async function expectCutRefused(
  bytes: Uint8Array,
  read: (cut: Uint8Array) => Promise<unknown>,
): Promise<void> {
  for (let length = 0; length < bytes.length; length++) {
    const { code } = await catchFormatError(read(bytes.subarray(0, length)));
    expect(code, `${length} bytes`).toBe("FILE_DAMAGED");
  }
}

/** Reads a text in chunks of this size and in one: with the same outcome, where a refusal has its place. */
export async function expectCutAlike(
  read: (chunkSize: number) => Promise<unknown>,
  size: number,
): Promise<void> {
  const outcome = async (chunkSize: number) =>
    read(chunkSize).catch(async (error: unknown) => {
      const { message, details } = await catchFormatError(Promise.reject(error));
      expect(details.place).toBeDefined();
      return message;
    });
  expect(await outcome(size)).toEqual(await outcome(1 << 16));
}

/** Reads files with one to `flips` bits turned, `count` times: each is read or refused, and more than `refused` are refused. */
export async function expectReadOrRefused(
  files: readonly Uint8Array[],
  { seed, count, flips, refused }: Readonly<Record<"seed" | "count" | "flips" | "refused", number>>,
  read: (turned: Uint8Array, original: Uint8Array) => Promise<unknown>,
): Promise<void> {
  const random = createSeededRandom(seed);
  let seen = 0;
  for (let i = 0; i < count; i++) {
    const original = files[i % files.length]!;
    const turned = Uint8Array.from(original);
    for (let left = 1 + random.integer(flips); left > 0; left--)
      turned[random.integer(turned.length)]! ^= 1 << random.integer(8);
    await read(turned, original).catch((error) => {
      expect(error, String(error?.stack)).toBeInstanceOf(FormatError);
      seen++;
    });
  }
  expect(seen).toBeGreaterThan(refused);
}
