import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AreaProvider } from "@groundrule/testing/area-provider";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { type Printed, runInProcess } from "./in-process.ts";

/** An address that nothing listens at, with a password. */
export const ADDRESS = "postgresql://reader:hunter2@127.0.0.1:1/parks";
export const PROVIDER = {
  kind: "postgis",
  connection: "env:PARKS_DATABASE",
  table: "public.parks",
  geometry: "geom",
};
export const MANIFEST = {
  source_name: "live:parks",
  kind: "leaf",
  id: "code",
  coverage: "global" as unknown,
  collected_at: "2026-10-01T00:00:00Z",
  columns: { code: "string", category: "string", since: "date" },
};
const RULESET = {
  sets: {
    strict: { sources: ["live:parks"], where: "category IN ('I', 'II')" },
    near: { sources: ["live:parks"], within_m: 30_000 },
    both: { intersection: ["strict", "near"] },
  },
  checks: [
    { id: "strict", set: "strict", measure: "overlap_ratio", op: ">", value: 0.1, outcome: "NON_COMPLIANT" },
    { id: "near", set: "near", measure: "min_distance_m", op: "<", value: 20_000, outcome: "WARNING" },
    { id: "both", set: "both", measure: "overlap_area_m2", op: ">", value: 0, outcome: "NOTICE" },
  ],
};
export const AREAS = Array.from({ length: 40 }, (_, i) => {
  const code = String(i).padStart(2, "0");
  return {
    id: code,
    country_iso3: "BRA",
    geometry: createSquarePolygon(-60 + (i % 8) * 0.5, -10 + Math.floor(i / 8) * 0.5, 0.2 + (i % 3) * 0.1),
    properties: {
      code,
      category: ["I", "II", "III", null][i % 4]!,
      since: i % 5 === 0 ? null : "2001-05-04",
    },
  };
});
export const PLOTS = Array.from({ length: 30 }, (_, i) => ({
  type: "Feature",
  id: `plot-${i}`,
  properties: {},
  geometry: createSquarePolygon(-60 + i * 0.11, -9.9 + (i % 5) * 0.37, 0.05),
}));
const input = PLOTS.map((plot) => `${JSON.stringify(plot)}\n`).join("");

/** Two data folders with the same areas: one asks them live, one has them in a snapshot. */
export class LiveFolders {
  /** Provider of the live folder; set anew for each test. */
  provider: AreaProvider = new AreaProvider(AREAS);
  readonly #dir = mkdtempSync(join(tmpdir(), "groundrule-live-"));

  async fill(coverage: unknown): Promise<void> {
    this.write("live.json", { ...MANIFEST, coverage, provider: PROVIDER });
    this.write("rules.json", RULESET);
    await this.live("sources", "connect", "--manifest", this.at("live.json"), "--no-check");
    const features = AREAS.map(({ geometry, properties }) => ({ type: "Feature", geometry, properties }));
    this.write("parks.geojson", { type: "FeatureCollection", features });
    this.write("stored.json", { ...MANIFEST, coverage, country_iso3: "BRA" });
    await this.stored("snapshot", "build", this.at("parks.geojson"), "--manifest", this.at("stored.json"));
  }

  at(name: string): string {
    return join(this.#dir, name);
  }

  write(name: string, value: unknown): void {
    writeFileSync(this.at(name), JSON.stringify(value));
  }

  live(...args: string[]): Promise<Printed> {
    const openProvider = () => this.provider;
    return runInProcess([...args, "--data", this.at("live")], { input, openProvider });
  }

  stored(...args: string[]): Promise<Printed> {
    return runInProcess([...args, "--data", this.at("stored")], { input });
  }

  remove(): void {
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

/** Answers without the names of editions and the digests that take them in. */
export function omitEditionsAndDigests(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, member: unknown) =>
      name === "edition" || name === "digest" ? undefined : member,
    ),
  );
}
