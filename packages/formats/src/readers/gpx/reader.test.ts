import { describe, expect, it } from "vitest";
import { toLocalFile } from "../../../test/local-bytes.ts";
import { toPlainGeometry } from "../../../test/reading.ts";
import { FormatError } from "../../format-error.ts";
import type { Feature } from "../../format-reader.ts";
import type { FormatOptions } from "../../open/formats.ts";
import { openTable } from "../../open/open-table.ts";

const point = (name: string, lon: unknown, lat: unknown, more = "") =>
  `<${name} lat="${lat}" lon="${lon}">${more}</${name}>`;
const time = (minute: number) => `<ele>120.5</ele><time>2024-05-01T10:0${minute}:00Z</time>`;
const gpx = (inner: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1">\n<metadata><name>m</name></metadata>${inner}</gpx>`;

async function read(text: string, options: FormatOptions = {}): Promise<Feature[]> {
  const table = await openTable(toLocalFile(Buffer.from(text)), options);
  const features: Feature[] = [];
  for await (const feature of table.features())
    features.push({ ...feature, geometry: toPlainGeometry(feature.geometry) });
  await table.close();
  return features;
}

const SEGMENT = [
  [-55.2, -6.5],
  [-55.1, -6.5],
  [-55.1, -6.4],
] as const;
const segment = (from = 0) =>
  `<trkseg>${SEGMENT.map(([x, y], i) => point("trkpt", x + from, y, time(i))).join("")}</trkseg>`;
const ALL = gpx(
  `<wpt lat="-6.5" lon="-55.2"><name>House</name><time>2024-05-01T09:00:00Z</time></wpt>
<rte><name>Way</name>${SEGMENT.map(([x, y]) => point("rtept", x, y)).join("")}</rte>
<trk><name>Plot &amp; Ana</name><type>walk</type>${segment()}</trk>
<trk><name>Two</name>${segment()}${segment(1)}<trkseg>${point("trkpt", 0, 0)}</trkseg></trk><trk><name>None</name></trk>`,
);

describe("gpxReader", () => {
  it("reads tracks with their segments and times, routes as lines and waypoints as points", async () => {
    const features = await read(ALL);
    expect(features.map(({ geometry }) => geometry)).toEqual([
      { type: "Point", coordinates: [-55.2, -6.5] },
      { type: "LineString", coordinates: SEGMENT },
      { type: "LineString", coordinates: SEGMENT },
      { type: "MultiLineString", coordinates: [SEGMENT, SEGMENT.map(([x, y]) => [x + 1, y])] },
      null,
    ]);
    expect(features.map(({ properties }) => Object.fromEntries(properties))).toEqual([
      { name: "House", time: "2024-05-01T09:00:00Z", gpx: "waypoint" },
      { name: "Way", gpx: "route" },
      {
        ...{ name: "Plot & Ana", type: "walk", gpx: "track", segments: 1 },
        ...{ time_start: "2024-05-01T10:00:00Z", time_end: "2024-05-01T10:02:00Z" },
      },
      {
        ...{ name: "Two", gpx: "track", segments: 3 },
        ...{ time_start: "2024-05-01T10:00:00Z", time_end: "2024-05-01T10:02:00Z" },
      },
      { name: "None", gpx: "track", segments: 0 },
    ]);
    expect(features[2]).toMatchObject({ place: { feature: 3, line: 5 }, crs: "EPSG:4326" });
  });

  it("reads one of its layers by name", async () => {
    for (const [layer, count] of Object.entries({ tracks: 3, routes: 1, waypoints: 1 })) {
      expect(await read(ALL, { layer })).toHaveLength(count);
    }
    await expect(read(ALL, { layer: "points" })).rejects.toMatchObject({
      code: "LAYER_UNKNOWN",
      message: 'found no layer "points" in GPX, expected one of tracks, routes, waypoints',
    });
    expect(await read(ALL, { layer: "tracks,waypoints" })).toHaveLength(4);
  });

  it("has a fault where a position is none, and goes on", async () => {
    const [first, second] = await read(gpx(`${point("wpt", "x", 1)}${point("wpt", 1, 2)}`));
    expect(first!.fault!.message).toContain('found a wpt with lat "1" and lon "x", expected two numbers');
    expect(second!.geometry).toEqual({ type: "Point", coordinates: [1, 2] });
  });

  it("is read or refused wherever it is cut", async () => {
    for (let length = 0; length < ALL.length; length += 7) {
      await expect(read(ALL.slice(0, length))).rejects.toBeInstanceOf(FormatError);
    }
  });
});
