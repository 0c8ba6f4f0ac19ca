import { writeFileSync } from "node:fs";
import { createSharedFolder } from "@groundrule/testing/folder";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { beforeAll, describe, expect, it } from "vitest";
import { runInProcess } from "../../../test/in-process.ts";

const { at } = createSharedFolder();
const run = (...args: string[]) => runInProcess([...args, "--data", at("data")]);

beforeAll(async () => {
  const areas = at("areas.geojson");
  writeFileSync(
    areas,
    JSON.stringify({ type: "Feature", geometry: createSquarePolygon(0, 0, 1), properties: {} }),
  );
  for (const [name, more] of [
    ["demo:old", { collected_at: "2020-01-02T03:04:05Z", refresh_interval_days: 30 }],
    ["demo:fresh", { collected_at: "2020-01-02T03:04:05Z", refresh_interval_days: 100_000 }],
    ["demo:unknown", { refresh_interval_days: 100_000 }],
    [
      "demo:without",
      { collected_at: "2020-01-02T03:04:05Z", fictional: true, scope: "half\u001b[2J of them" },
    ],
  ] as const) {
    const manifest = at("manifest.json");
    const source_dataset = `A data set whose title is so long that no terminal has room for it, ${name}`;
    writeFileSync(manifest, JSON.stringify({ source_name: name, kind: "leaf", source_dataset, ...more }));
    expect((await run("snapshot", "build", "--manifest", manifest, areas)).code).toBe(0);
  }
});

describe("sources list", () => {
  it("reports for each source with an interval whether it is overdue", async () => {
    const { lines } = await run("sources", "list");
    expect(
      lines.map(({ source_name, overdue, refresh_interval_days }) => [
        source_name,
        overdue,
        refresh_interval_days,
      ]),
    ).toEqual([
      ["demo:fresh", false, 100_000],
      ["demo:old", true, 30],
      ["demo:unknown", true, 100_000],
      ["demo:without", undefined, undefined],
    ]);
  });

  it("marks the overdue ones within 80 columns, for people", async () => {
    const { out } = await runInProcess(["sources", "list", "--data", at("data")], { columns: 80 });
    const [, ...lines] = out.trimEnd().split("\n");
    expect(lines[4]).toMatch(/^demo:without holds: half.*of them$/);
    expect(out).not.toContain("\u001b[2J");
    const rows = lines.slice(0, 4);
    expect(rows.map((row) => row.endsWith(" fictional"))).toEqual([false, false, false, true]);
    expect(rows.map((row) => row.match(/\d+ d\b/)?.[0] !== undefined)).toEqual([true, true, false, true]);
    expect(rows.map((row) => row.endsWith("overdue"))).toEqual([false, true, true, false]);
    expect(rows[3]).toMatch(/^demo:without +1 /);
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(80);
  });
});
