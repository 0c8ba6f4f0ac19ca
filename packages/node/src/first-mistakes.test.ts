import { openEngine } from "@groundrule/engine";
import { snapshotOf } from "@groundrule/engine/build";
import { lintRuleset } from "@groundrule/engine/rulesets";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { expect, it } from "vitest";
import { EnginePool, openData } from "./index.ts";

const geometry = createSquarePolygon(0, 0);
const collection = {
  type: "FeatureCollection",
  features: [{ type: "Feature", properties: { code: "a" }, geometry }],
};
const parks = snapshotOf("my:parks", collection, { id: "code" });
const engine = openEngine([parks]);
const ruleset = {
  sets: { parks: { sources: ["my:parks"] } },
  checks: [{ id: "in-park", set: "parks", outcome: "WARNING" }],
};
const policy = engine.compile(ruleset);
const now = { now: "2026-06-30T12:00:00Z" };
/** Any value, as a program in JavaScript may pass it. */
// biome-ignore lint/suspicious/noExplicitAny: the mistakes are those that no compiler sees
const wrong = (value?: unknown): any => value;

it.each([
  ["opens an engine without data", () => openEngine(wrong()), "snapshotOf makes one"],
  ["opens an engine on a folder", () => openEngine(wrong("data")), "openData opens a folder"],
  [
    "passes the path of a snapshot",
    () => openEngine([wrong("parks.snapshot")]),
    "expected bytes (ArrayBuffer",
  ],
  ["passes GeoJSON as a source", () => openEngine([wrong(collection)]), "snapshotOf makes them"],
  ["passes the bytes of GeoJSON", () => openEngine([Buffer.from("{}".repeat(99))]), "snapshotOf makes them"],
  ["does not await a snapshot", () => openEngine([wrong(Promise.resolve(parks))]), "await it"],
  ["names no data folder", () => openData(wrong()), "expected the path of a data folder"],
  [
    "names a folder without data",
    () => openData(import.meta.dirname),
    'create one with "groundrule snapshot build"',
  ],
  ["passes an engine to a pool", () => new EnginePool(wrong(engine)), "such as data.current of openData"],
  ["passes the path of a ruleset", () => engine.compile("ruleset.json"), "pass the text of the file"],
  ["writes a ruleset in YAML", () => engine.compile("sets: {}"), "pass the text of the file"],
  ["does not await a ruleset", () => engine.compile(Promise.resolve(ruleset)), "await it"],
  [
    "misspells a source",
    () => engine.compile({ ...ruleset, sets: { parks: { sources: ["my:park"] } } }),
    'did you mean "my:parks"?',
  ],
  [
    "writes a geometry as WKT",
    () => policy.evaluate({ geometry: wrong("POINT (0 0)") }, now),
    "a GeoJSON geometry as an object",
  ],
  [
    "writes a geometry as JSON",
    () => engine.intersections(wrong(JSON.stringify(geometry))),
    "a GeoJSON geometry as an object",
  ],
  [
    "passes a geometry as the input",
    () => policy.evaluate(wrong(geometry), now),
    'expected one of "geometry"',
  ],
  [
    "passes a collection as the input",
    () => policy.evaluate(wrong(collection), now),
    'expected one of "geometry"',
  ],
  [
    "passes a collection as a geometry",
    () => engine.intersections(collection),
    "the geometry of one feature",
  ],
  [
    "does not await a geometry",
    () => policy.evaluate({ geometry: Promise.resolve(geometry) }, now),
    "await it",
  ],
  ["forgets the instant", () => policy.evaluate({ geometry }, wrong()), "expected an object of options"],
  [
    "passes the instant as a Date",
    () => policy.evaluate({ geometry }, { now: wrong(new Date()) }),
    "toISOString()",
  ],
  [
    "swaps the axes",
    () => engine.intersections({ type: "Point", coordinates: [-10, 100] }),
    "[longitude, latitude]",
  ],
  [
    "passes metres",
    () => engine.intersections({ type: "Point", coordinates: [226_000, 8_838_000] }),
    "name the CRS",
  ],
  [
    "names a CRS without the table",
    () => engine.intersections(geometry, { crs: "EPSG:32721" }),
    "pass crsTable",
  ],
  [
    "mixes copies of the engine",
    () => lintRuleset(wrong({ ...engine }), ruleset),
    "that openEngine of this package opened",
  ],
] as const)("names the next step to a caller who %s", (_mistake, make, next) => {
  expect(make).toThrow(next);
});
