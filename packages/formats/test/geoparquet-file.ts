import { parquetWriteBuffer } from "hyparquet-writer";
import { encodeWkb, type Geometry } from "./wkb-encoder.ts";

/** Writes a GeoParquet with a column of ids, one of geometries, and others of text. */
export function writeGeoParquet(
  features: readonly { readonly id: string; readonly geometry: Geometry }[],
  others: Readonly<Record<string, readonly string[]>> = {},
): Uint8Array {
  const columns = { geometry: { encoding: "WKB", geometry_types: [] } };
  const geo = { version: "1.1.0", primary_column: "geometry", columns };
  const columnData = [
    { name: "id", data: features.map(({ id }) => id), type: "STRING" as const },
    {
      name: "geometry",
      data: features.map(({ geometry }) => encodeWkb(geometry)),
      type: "BYTE_ARRAY" as const,
    },
    ...Object.entries(others).map(([name, data]) => ({ name, data: [...data], type: "STRING" as const })),
  ];
  const kvMetadata = [{ key: "geo", value: JSON.stringify(geo) }];
  return new Uint8Array(parquetWriteBuffer({ columnData, kvMetadata }));
}
