/** A value in Thrift's compact protocol: a number is an i32, a bigint an i64, an array a list, a record a structure. */
export type Thrift =
  | number
  | bigint
  | string
  | Uint8Array
  | readonly Thrift[]
  | { readonly [field: number]: Thrift };

const I32 = 5;
const I64 = 6;
const BINARY = 8;
const LIST = 9;
const STRUCT = 12;

/** Writes a structure: its fields by their numbers. */
export function encodeThriftStruct(struct: { readonly [field: number]: Thrift }): number[] {
  const bytes: number[] = [];
  let last = 0;
  for (const [field, value] of Object.entries(struct)) {
    const delta = Number(field) - last;
    last = Number(field);
    if (delta > 15) throw new Error("fields lie close");
    bytes.push((delta << 4) | toThriftType(value), ...encodeThriftValue(value));
  }
  return [...bytes, 0];
}

function toThriftType(value: Thrift): number {
  if (typeof value === "number") return I32;
  if (typeof value === "bigint") return I64;
  if (typeof value === "string" || value instanceof Uint8Array) return BINARY;
  return Array.isArray(value) ? LIST : STRUCT;
}

function encodeThriftValue(value: Thrift): number[] {
  if (typeof value === "number")
    return encodeVarint(BigInt(value) >= 0n ? BigInt(value) * 2n : BigInt(value) * -2n - 1n);
  if (typeof value === "bigint") return encodeVarint(value >= 0n ? value * 2n : value * -2n - 1n);
  if (typeof value === "string") return encodeThriftValue(Buffer.from(value));
  if (value instanceof Uint8Array) return [...encodeVarint(BigInt(value.length)), ...value];
  if (Array.isArray(value)) {
    const type = value.length === 0 ? I32 : toThriftType(value[0] as Thrift);
    return [
      0xf0 | type,
      ...encodeVarint(BigInt(value.length)),
      ...value.flatMap((item) => encodeThriftValue(item as Thrift)),
    ];
  }
  return encodeThriftStruct(value as { readonly [field: number]: Thrift });
}

function encodeVarint(value: bigint): number[] {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 0x80n; left >>= 7n) bytes.push(Number(left & 0x7fn) | 0x80);
  return [...bytes, Number(left)];
}

/** A data page of version 1, its header saying what it is told to. */
export function encodeDataPage(
  body: Uint8Array | readonly number[],
  says: {
    readonly values: number;
    readonly encoding?: number;
    readonly size?: number;
    readonly packed?: number;
    readonly crc?: number;
  },
): number[] {
  const { values, encoding = 0, size = body.length, packed = body.length } = says;
  return [
    ...encodeThriftStruct({
      1: 0,
      2: size,
      3: packed,
      ...(says.crc !== undefined && { 4: says.crc | 0 }),
      5: { 1: values, 2: encoding, 3: 3, 4: 3 },
    }),
    ...body,
  ];
}

/** Codes of Parquet's types and codecs. */
export const BYTE_ARRAY = 6;
export const ZSTD = 6;

/** A Parquet of one column "geometry" in one row group, which says what it is told to. */
export function createParquetByHand(
  pages: readonly number[],
  says: {
    readonly values: bigint;
    readonly rows?: bigint;
    readonly codec?: number;
    readonly optional?: boolean;
  },
): Uint8Array {
  const { values, rows = values, codec = 0, optional = false } = says;
  const column = {
    1: BYTE_ARRAY,
    2: [0],
    3: ["geometry"],
    4: codec,
    5: values,
    6: BigInt(pages.length),
    7: BigInt(pages.length),
    9: 4n,
  };
  const geo = { version: "1.0.0", primary_column: "geometry", columns: { geometry: { encoding: "WKB" } } };
  const metadata = encodeThriftStruct({
    1: 1,
    2: [
      { 4: "root", 5: 1 },
      { 1: BYTE_ARRAY, 3: optional ? 1 : 0, 4: "geometry" },
    ],
    3: rows,
    4: [{ 1: [{ 2: 4n, 3: column }], 2: BigInt(pages.length), 3: rows }],
    5: [{ 1: "geo", 2: JSON.stringify(geo) }],
  });
  const footer = new Uint8Array(8);
  new DataView(footer.buffer).setUint32(0, metadata.length, true);
  footer.set(Buffer.from("PAR1"), 4);
  return Uint8Array.of(...Buffer.from("PAR1"), ...pages, ...metadata, ...footer);
}
