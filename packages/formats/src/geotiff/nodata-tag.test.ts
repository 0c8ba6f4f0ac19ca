import { describe, expect, it } from "vitest";
import { parseNodataTag } from "./nodata-tag.ts";
import type { SampleType } from "./samples.ts";

const BYTE: SampleType = { kind: "uint", bits: 8 };
const INT16: SampleType = { kind: "int", bits: 16 };
const FLOAT32: SampleType = { kind: "float", bits: 32 };
const FLOAT64: SampleType = { kind: "float", bits: 64 };

describe("the nodata tag of a GeoTIFF", () => {
  it.each<[text: string, SampleType, value: number, isNodata: boolean]>([
    ["255", BYTE, 255, true],
    [" 255.0 ", BYTE, 255, true],
    ["7.9", BYTE, 7, true],
    ["-9999", BYTE, 0, false],
    ["256", BYTE, 0, false],
    ["256", BYTE, 255, false],
    ["nan", BYTE, 0, false],
    ["N/A", BYTE, 0, true],
    ["-32768", INT16, -32768, true],
    ["-9999,5", INT16, -9999, true],
    ["-9999.9", FLOAT32, Math.fround(-9999.9), true],
    ["-9999.9", FLOAT32, -9999.9, true],
    ["-9999.9", FLOAT32, -9999.5, false],
    ["-9999.9", FLOAT64, -9999.9, true],
    ["-9999.9", FLOAT64, Math.fround(-9999.9), true],
    ["-9999.9", FLOAT64, -9999.91, false],
    ["-3.40282346638529e+38", FLOAT32, -3.4028234663852886e38, true],
    ["1e300", FLOAT32, Infinity, false],
    ["1e300", FLOAT64, 1e300, true],
    ["inf", FLOAT32, Infinity, true],
    ["-1.#INF", FLOAT64, -Infinity, true],
    ["-nan(ind)", FLOAT32, Number.NaN, true],
    ["nan", FLOAT32, 0, false],
    ["0", FLOAT32, -0, true],
    ["0", FLOAT32, 1e-45, false],
  ])("%s, of cells %o: is %d none? %s", (text, type, value, isNodata) => {
    expect(parseNodataTag(text, type).isNodata(value)).toBe(isNodata);
  });

  it("fills in what a file leaves out as GDAL does: rounded, and within the type", () => {
    const fill = (text: string, type: SampleType) => parseNodataTag(text, type).fill;
    expect([fill("-9999", BYTE), fill("7.5", BYTE), fill("nan", BYTE), fill("1e9", INT16)]).toEqual([
      0, 8, 0, 32767,
    ]);
    const long: SampleType = { kind: "uint", bits: 64 };
    expect([fill("9007199254740991", long), fill("inf", BYTE)]).toEqual([9007199254740991, 255]);
    expect([fill("-9999.9", FLOAT32), fill("-9999.9", FLOAT64)]).toEqual([Math.fround(-9999.9), -9999.9]);
  });
});
