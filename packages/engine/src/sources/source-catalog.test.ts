import { describe, expect, it } from "vitest";
import { checkShape } from "../shape/check-shape.ts";
import { type StoredManifest, storedManifestShape } from "../snapshot/manifest.ts";
import {
  type CoverageEntry,
  createGroupEntry,
  createSourceEntry,
  type SourceEntry,
} from "./source-catalog.ts";

const manifest = { source_name: "demo:parks", kind: "leaf" } as const;

describe("an entry of the source catalog", () => {
  it("has a title: the data set's, else the source's name", () => {
    expect(createSourceEntry({ ...manifest, source_dataset: "Parks" }, undefined).source_dataset).toBe(
      "Parks",
    );
    expect(createSourceEntry(manifest, undefined).source_dataset).toBe("demo:parks");
    expect(createGroupEntry("demo:all", []).source_dataset).toBe("demo:all");
  });

  it("shows no address that a reader's browser would run, which no snapshot may hold and a program may name", () => {
    const stored: StoredManifest = { ...manifest, source_url: "javascript:alert(1)" };
    expect(checkShape(storedManifestShape, stored).faults).toMatchObject([{ pointer: "/source_url" }]);
    expect(createSourceEntry(stored, undefined)).not.toHaveProperty("source_url");
    const source_url = "https://example.org/parks";
    expect(createSourceEntry({ ...manifest, source_url }, undefined)).toMatchObject({ source_url });
  });

  it("has the coverage and how it is known, and declared countries before those that occur", () => {
    const meta = { edition: "", feature_count: 1, country_coverage: ["PER"], schemes: [] };
    const entry = (more: Partial<StoredManifest>) => {
      const stored = { ...manifest, ...more };
      const { coverage, country_coverage } = createSourceEntry(stored, { ...meta, manifest: stored });
      return [coverage, country_coverage];
    };
    expect(entry({})).toEqual([{ extent: "undeclared" }, ["PER"]]);
    for (const [coverage, known, extent, country] of [
      ["global", "declared", "global", "PER"],
      ["polygons", "declared", "polygons", "PER"],
      [["BRA"], "declared", "countries", "BRA"],
      [["PER"], "derived", "countries", "PER"],
    ] as const) {
      expect(entry({ coverage, coverage_known: known })).toEqual([{ extent, known }, [country]]);
    }
    const register = { source_name: "demo:listed", kind: "subject_register" } as const;
    expect(createSourceEntry(register, undefined)).not.toHaveProperty("coverage");
  });

  it("has the columns with their types, of a group those that its members share", () => {
    const entry = (columns?: StoredManifest["columns"]) =>
      createSourceEntry({ ...manifest, ...(columns && { columns }) }, undefined);
    const parks = entry({ since: "date", ha: "number", use: "string" });
    expect(Object.entries(parks.columns ?? {})).toEqual([
      ["since", "date"],
      ["ha", "number"],
      ["use", "string"],
    ]);
    expect(entry()).not.toHaveProperty("columns");
    expect(entry({})).not.toHaveProperty("columns");
    const group = (...members: SourceEntry[]) => createGroupEntry("demo:all", members).columns;
    expect(group(parks)).toEqual(parks.columns);
    expect(
      group(parks, entry({ use: "string", since: "string", ["constructor" as string]: "number" })),
    ).toEqual({
      use: "string",
    });
    expect(group(entry({ ha: "number" }), entry({ ["constructor" as string]: "number" }))).toBeUndefined();
    expect(group(parks, entry())).toBeUndefined();
    expect(group()).toBeUndefined();
  });

  it("has for a source that does not open what its manifest declares", () => {
    const { coverage, country_coverage } = createSourceEntry(
      { ...manifest, coverage: ["PER", "BRA"] },
      undefined,
    );
    expect([coverage, country_coverage]).toEqual([
      { extent: "countries", known: "declared" },
      ["BRA", "PER"],
    ]);
    const file = { ...manifest, coverage: { polygons: "land.geojson" } };
    expect(createSourceEntry(file, undefined).coverage).toEqual({ extent: "polygons", known: "declared" });
  });

  it("has for a group the widest coverage of its members, as little known as the least", () => {
    const group = (...coverages: (CoverageEntry | undefined)[]) =>
      createGroupEntry(
        "demo:all",
        coverages.map((coverage) => ({
          ...createSourceEntry(manifest, undefined),
          ...(coverage ? { coverage } : {}),
        })),
      ).coverage;
    const [declared, derived] = [
      { extent: "countries", known: "declared" } as const,
      { extent: "countries", known: "derived" } as const,
    ];
    expect(group(declared, declared)).toEqual(declared);
    expect(group(declared, derived)).toEqual(derived);
    expect(group(declared, { extent: "polygons", known: "declared" })?.extent).toBe("polygons");
    expect(group(declared, { extent: "undeclared" })).toEqual({ extent: "undeclared" });
    expect(group({ extent: "undeclared" }, { extent: "global", known: "declared" }, derived)).toEqual({
      extent: "global",
      known: "declared",
    });
    expect(createGroupEntry("demo:lists", [])).not.toHaveProperty("coverage");
  });
});
