import { parquetWriteBuffer } from "hyparquet-writer";
import { encodeWkb, type Geometry } from "./wkb-encoder.ts";

/** Writes a GeoParquet with a column of ids and one of geometries. */
export function writeGeoParquet(
  features: readonly { readonly id: string; readonly geometry: Geometry }[],
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
  ];
  const kvMetadata = [{ key: "geo", value: JSON.stringify(geo) }];
  return new Uint8Array(parquetWriteBuffer({ columnData, kvMetadata }));
}
