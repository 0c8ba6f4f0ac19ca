import { openSnapshot } from "@groundrule/engine/build";
import { describe, expect, it } from "vitest";
import { buildSnapshot } from "./build.ts";

async function readColumns(text: string, rename: Record<string, string>, manifest: object = {}) {
  const source = { source_name: "demo:cleared", kind: "leaf", ...manifest } as const;
  const { file, report } = await buildSnapshot(new Blob([text]).stream(), source, { read: { rename } });
  const snapshot = openSnapshot(new Uint8Array(Buffer.concat([...file.chunks])).buffer);
  return { format: report.format, properties: snapshot.attributes.properties(0) };
}

const csv = (header: string) => `${header},wkt\n7,2021-08-03,"POLYGON ((0 0, 1 0, 1 1, 0 0))"\n`;
const feature = (properties: object) =>
  JSON.stringify({
    type: "Feature",
    geometry: {
      type: "Polygon",
      coordinates: [
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 0],
        ],
      ],
    },
    properties,
  });

describe("read.rename", () => {
  const dated = { id: "code", columns: { detected: "date" } } as const;
  const rename = { fid: "code", image_date: "detected" };

  it("gives columns the names that a manifest has, in files whose columns come first and in those whose do not", async () => {
    const named = { properties: { code: 7, detected: "2021-08-03" } };
    expect(await readColumns(csv("fid,image_date"), rename, dated)).toMatchObject(named);
    const lines = `${feature({ fid: 7, image_date: "2021-08-03" })}\n${feature({ fid: 8 })}\n`;
    expect(await readColumns(lines, rename, dated)).toMatchObject({ ...named, format: "ndjson" });
  });

  it("renames columns of registers, and swaps two names", async () => {
    const register = { kind: "subject_register", value: "property", scheme: "br:car" };
    const { properties } = await readColumns(
      "a,b,cod_imovel\n1,2,MT-1\n",
      { a: "b", b: "a", cod_imovel: "property" },
      register,
    );
    expect(properties).toEqual({ b: 1, a: 2 });
  });

  it("refuses a column that the file lacks, and a name that another column has", async () => {
    await expect(readColumns(csv("fid,image_dat"), rename)).rejects.toMatchObject({
      code: "COLUMN_UNKNOWN",
      message: expect.stringContaining(
        'names column "image_date", which the file does not have; did you mean "image_dat"?',
      ),
    });
    await expect(readColumns(csv("detected,image_date"), { image_date: "detected" })).rejects.toMatchObject({
      code: "MANIFEST_INVALID",
      details: { faults: [{ pointer: "/read/rename", code: "COLUMN_TAKEN" }] },
    });
  });
});
