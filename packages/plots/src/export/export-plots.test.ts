import { describe, expect, it } from "vitest";
import type { PlotFeature } from "../plot-feature.ts";
import { eudr } from "../profiles/eudr.ts";
import { exportPlots, textLimit } from "./export-plots.ts";

const plot = (number: number, name: string, country = "BR", extra = {}): PlotFeature => ({
  number,
  id: `p${number}`,
  geometry: { type: "Point", coordinates: [0.000001, -59.123456] },
  properties: { ProducerName: name, ProducerCountry: country, note: "private", ...extra },
});
const plots = [plot(1, "João & Sons"), plot(2, "Bo"), plot(3, "João & Sons"), plot(4, "Bo", "PY")];

describe("exportPlots", () => {
  it("writes one producer a file, a producer being a name in a country", () => {
    const { files } = exportPlots(plots, eudr, "I");
    expect(files.map(({ name, plots }) => [name, plots.map(({ id }) => id)])).toEqual([
      ["0001-BR-Joao-Sons.geojson", ["p1", "p3"]],
      ["0002-BR-Bo.geojson", ["p2"]],
      ["0003-PY-Bo.geojson", ["p4"]],
    ]);
    const [first] = JSON.parse(files[0]!.text).features;
    expect(first).toEqual({
      type: "Feature",
      id: "p1",
      properties: { ProducerName: "João & Sons", ProducerCountry: "BR" },
      geometry: plots[0]!.geometry,
    });
    expect(files[0]!.text).toContain("[0.000001,-59.123456]");
  });

  it("writes producers in turn in one file, each together", () => {
    const { files } = exportPlots(plots, eudr, "II");
    expect(files.map(({ name, plots }) => [name, plots.map(({ id }) => id)])).toEqual([
      ["plots-0001.geojson", ["p1", "p3", "p2", "p4"]],
    ]);
  });

  it("fills files to the last byte of the limit in base64, and never beyond", () => {
    const many = Array.from({ length: 200 }, (_, i) =>
      plot(i, "Ça é", "BR", { ProductionPlace: "é".repeat(i % 17) }),
    );
    for (let greatestFileBytes = 700; greatestFileBytes < 1100; greatestFileBytes += 7) {
      const profile = { ...eudr, greatestFileBytes };
      const { files, tooLarge } = exportPlots(many, profile, "I");
      expect(tooLarge).toEqual([]);
      expect(files.flatMap((file) => file.plots)).toHaveLength(many.length);
      for (const [i, { text, bytes }] of files.entries()) {
        expect(bytes).toBe(Buffer.byteLength(text));
        expect(Buffer.from(text).toString("base64").length).toBeLessThanOrEqual(greatestFileBytes);
        const next = files[i + 1];
        if (next === undefined) continue;
        const following = JSON.stringify(JSON.parse(next.text).features[0]);
        expect(bytes + 2 + Buffer.byteLength(following)).toBeGreaterThan(textLimit(profile));
      }
    }
  });

  it("reports a plot that no file can hold, and writes the others", () => {
    const { files, tooLarge } = exportPlots(
      [plot(1, "A"), plot(2, "A", "BR", { ProductionPlace: "x".repeat(500) })],
      { ...eudr, greatestFileBytes: 400 },
      "I",
    );
    expect([files.length, tooLarge.map(({ id }) => id)]).toEqual([1, ["p2"]]);
  });
});
