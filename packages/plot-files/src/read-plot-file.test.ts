import { gzipSync } from "node:zlib";
import { type PlotFeature, readPlotInput } from "@groundrule/plots";
import { describe, expect, it } from "vitest";
import type { UnreadPlot } from "./geojson-plot.ts";
import { readPlotFile, untilBroken } from "./read-plot-file.ts";

/** A plot as it goes into an evaluation. */
function plotLine(plot: PlotFeature | UnreadPlot) {
  const { id } = plot;
  if ("error" in plot) return { id, error: plot.error };
  return { id, ...readPlotInput(plot, (code) => (code === "BR" ? "BRA" : undefined)) };
}

async function* streamOf(text: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield typeof text === "string" ? new TextEncoder().encode(text) : text;
}

async function read(text: string | Uint8Array, options = {}) {
  const plots = [];
  for await (const plot of untilBroken(readPlotFile(streamOf(text), options))) plots.push(plot);
  return plots;
}

const POINT = { type: "Point", coordinates: [1, 2] };

describe("readPlotFile", () => {
  it("reads plots of CSV with their ids, lines and areas, and one bad one never sinks the rest", async () => {
    const plots = await read("id,lon,lat,Area,country\np1,1,2,3.5,BR\np2,x,2,,\n,1,2,,\n");
    expect(plots.map(plotLine)).toEqual([
      { id: "p1", input: { geometry: POINT }, area: 3.5, country: "BRA" },
      {
        id: "p2",
        error: { code: "GEOMETRY_INVALID", message: 'column "lon": found "x", expected a number' },
      },
      { id: 3, input: { geometry: POINT }, area: null },
    ]);
    expect(plots.map(({ line }) => line)).toEqual([2, 3, 4]);
  });

  it("reads what is gzipped as what is not, and swaps axes", async () => {
    const line = JSON.stringify({
      type: "Feature",
      id: 7,
      properties: {},
      geometry: { ...POINT, coordinates: [2, 1] },
    });
    for (const bytes of [`${line}\n{oops\n`, gzipSync(`${line}\n{oops\n`)]) {
      const plots = await read(bytes, { swapAxes: true });
      expect(plots).toMatchObject([
        { id: 7, geometry: POINT },
        { id: 2, error: { code: "MALFORMED_JSON" } },
      ]);
    }
  });

  it("tells where a document breaks off as the last of its plots", async () => {
    const broken = `{"type":"FeatureCollection","features":[{"type":"Feature","properties":null,"geometry":null},`;
    expect(await read(broken)).toMatchObject([
      { number: 1 },
      { number: 2, error: { code: "JSON_MALFORMED" } },
    ]);
  });
});
