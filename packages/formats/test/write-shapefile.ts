/** A shape as it is written: parts of positions, or null. */
export type WrittenShape = readonly (readonly (readonly [x: number, y: number])[])[] | null;

/** A field of the table: name, type, length, decimals. */
export type WrittenField = readonly [name: string, type: string, length: number, decimals?: number];

export interface WrittenTable {
  readonly fields: readonly WrittenField[];
  /** Cells as the bytes that they are to be, filled up with spaces; a row of null is marked as deleted. */
  readonly rows: readonly (readonly (string | Uint8Array)[])[];
  readonly deleted?: readonly number[];
  readonly driver?: number;
  readonly version?: number;
}

/** A `.shp` and its `.shx`, after ESRI's technical description of 1998. Heights and measures are made up. */
export function encodeShpAndShx(type: number, shapes: readonly WrittenShape[]): { shp: Buffer; shx: Buffer } {
  const records = shapes.map((shape) => (shape === null ? encodeInt32(0) : encodeShapeContent(type, shape)));
  const shx: Buffer[] = [];
  const shp: Buffer[] = [];
  let at = 50;
  for (const [i, record] of records.entries()) {
    shp.push(encodeInt32BigEndian(i + 1), encodeInt32BigEndian(record.length / 2), record);
    shx.push(encodeInt32BigEndian(at), encodeInt32BigEndian(record.length / 2));
    at += 4 + record.length / 2;
  }
  return {
    shp: Buffer.concat([encodeShpHeader(type, at), ...shp]),
    shx: Buffer.concat([encodeShpHeader(type, 50 + 4 * records.length), ...shx]),
  };
}

/** A table of dBase III. */
export function encodeDbf({ fields, rows, deleted = [], driver = 0, version = 3 }: WrittenTable): Buffer {
  const rowBytes = 1 + fields.reduce((sum, [, , length]) => sum + length, 0);
  const head = Buffer.alloc(32);
  head[0] = version;
  head.set([124, 1, 1], 1);
  head.writeUInt32LE(rows.length, 4);
  head.writeUInt16LE(33 + 32 * fields.length, 8);
  head.writeUInt16LE(rowBytes, 10);
  head[29] = driver;
  const described = fields.map(([name, type, length, decimals = 0]) => {
    const field = Buffer.alloc(32);
    field.write(name, 0, 11, "latin1");
    field.write(type, 11, "latin1");
    field[16] = length;
    field[17] = decimals;
    return field;
  });
  const written = rows.flatMap((cells, row) => [
    Buffer.from(deleted.includes(row) ? "*" : " "),
    ...cells.map((cell, i) => {
      const field = Buffer.alloc(fields[i]![2], 0x20);
      Buffer.from(cell as string).copy(field);
      return field;
    }),
  ]);
  return Buffer.concat([head, ...described, Buffer.of(0x0d), ...written, Buffer.of(0x1a)]);
}

function encodeShapeContent(type: number, parts: NonNullable<WrittenShape>): Buffer {
  const positions = parts.flat();
  const [xs, ys] = [positions.map(([x]) => x), positions.map(([, y]) => y)];
  const extra = positions.map((_, i) => 100 + i);
  const hasZ = type > 10 && type < 20;
  const hasM = type > 20;
  if (type % 10 === 1) {
    return Buffer.concat([
      encodeInt32(type),
      encodeDoubles(...positions[0]!),
      encodeDoubles(...(hasZ ? [7, 8] : hasM ? [8] : [])),
    ]);
  }
  const box = encodeDoubles(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys));
  const starts = parts.map((_, i) => parts.slice(0, i).reduce((sum, part) => sum + part.length, 0));
  const counts =
    type % 10 === 8
      ? [encodeInt32(positions.length)]
      : [encodeInt32(parts.length, positions.length), encodeInt32(...starts)];
  const values = encodeDoubles(100, 100 + positions.length, ...extra);
  return Buffer.concat([
    encodeInt32(type),
    box,
    ...counts,
    encodeDoubles(...positions.flat()),
    ...(hasZ ? [values, values] : hasM ? [values] : []),
  ]);
}

function encodeShpHeader(type: number, words: number): Buffer {
  const bytes = Buffer.alloc(100);
  bytes.writeInt32BE(9994, 0);
  bytes.writeInt32BE(words, 24);
  bytes.writeInt32LE(1000, 28);
  bytes.writeInt32LE(type, 32);
  return bytes;
}

function encodeInt32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeInt32LE(value, 4 * i);
  return bytes;
}

function encodeInt32BigEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function encodeDoubles(...values: number[]): Buffer {
  const bytes = Buffer.alloc(8 * values.length);
  for (const [i, value] of values.entries()) bytes.writeDoubleLE(value, 8 * i);
  return bytes;
}
