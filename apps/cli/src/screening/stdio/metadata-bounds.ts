/** Field numbers of a message's tables, from Arrow's `Message.fbs` and `Schema.fbs`. */
const MESSAGE = { headerType: 1, header: 2, metadata: 4 } as const;
const SCHEMA = { fields: 1, metadata: 2, features: 3 } as const;
const FIELD = { children: 5, metadata: 6 } as const;
const BATCH = { nodes: 1, buffers: 2, variadicCounts: 4 } as const;
const IS_SCHEMA = 1;
const IS_BATCH = 3;

/**
 * True if every vector in the metadata of a message ends within it, and no column has child columns: the decoder
 * iterates over as many elements as a vector declares.
 *
 * Source: FlatBuffers, "Internals": tables, vtables and vectors.
 */
export function isBounded(metadata: Uint8Array): boolean {
  const view = new DataView(metadata.buffer, metadata.byteOffset, metadata.byteLength);
  try {
    const message = view.getUint32(0, true);
    const type = findFieldPosition(view, message, MESSAGE.headerType);
    const header = followOffset(view, findFieldPosition(view, message, MESSAGE.header));
    readVectorBounds(view, message, MESSAGE.metadata, 4);
    if (header === 0 || type === 0) return false;
    const kind = view.getUint8(type);
    if (kind === IS_SCHEMA) checkSchemaBounds(view, header);
    if (kind === IS_BATCH) {
      readVectorBounds(view, header, BATCH.nodes, 16);
      readVectorBounds(view, header, BATCH.buffers, 16);
      readVectorBounds(view, header, BATCH.variadicCounts, 8);
    }
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function checkSchemaBounds(view: DataView, schema: number): void {
  readVectorBounds(view, schema, SCHEMA.metadata, 4);
  readVectorBounds(view, schema, SCHEMA.features, 8);
  const { count, start } = readVectorBounds(view, schema, SCHEMA.fields, 4);
  for (let i = 0; i < count; i++) {
    const field = followOffset(view, start + 4 * i);
    if (readVectorBounds(view, field, FIELD.children, 4).count > 0)
      throw new RangeError("columns in a column");
    readVectorBounds(view, field, FIELD.metadata, 4);
  }
}

/** Position of a field in a table; 0 if absent. Fails: `RangeError` outside of the bytes. */
function findFieldPosition(view: DataView, table: number, field: number): number {
  const layout = table - view.getInt32(table, true);
  const at = 4 + 2 * field;
  if (at >= view.getUint16(layout, true)) return 0;
  const offset = view.getUint16(layout + at, true);
  return offset === 0 ? 0 : table + offset;
}

function followOffset(view: DataView, place: number): number {
  return place === 0 ? 0 : place + view.getUint32(place, true);
}

/** The elements of a vector of a table. Fails: `RangeError` if they end outside of the bytes. */
function readVectorBounds(
  view: DataView,
  table: number,
  field: number,
  size: number,
): { readonly count: number; readonly start: number } {
  const vector = followOffset(view, findFieldPosition(view, table, field));
  if (vector === 0) return { count: 0, start: 0 };
  const count = view.getUint32(vector, true);
  const start = vector + 4;
  if (start + count * size > view.byteLength) throw new RangeError("a vector outside of the metadata");
  return { count, start };
}
