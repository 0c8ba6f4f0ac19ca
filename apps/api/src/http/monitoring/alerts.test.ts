import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openEngine, type StoredManifest } from "@groundrule/engine";
import { ENGINE_OPTIONS, LiveSources } from "@groundrule/node";
import { hostInProcess } from "@groundrule/service";
import { AreaProvider } from "@groundrule/testing/area-provider";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { parser } from "@prometheus-io/lezer-promql";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { HttpCaller } from "../../../test/http.ts";
import { startService } from "../../../test/service.ts";

const PATH = fileURLToPath(
  new URL("../../../../../deploy/prometheus/groundrule-alerts.yml", import.meta.url),
);
const GUIDES = new URL("../../../../../docs/guides/", import.meta.url);
const GUIDE = readFileSync(new URL("operate.md", GUIDES), "utf8");

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<"summary" | "description" | "runbook_url", string>>;
}

const { groups } = parse(readFileSync(PATH, "utf8")) as {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);

/** A metric that an expression reads, with the labels that it asks for or groups by. */
interface Selected {
  readonly metric: string;
  readonly labels: readonly string[];
  /** Values that labels must have. */
  readonly values: Readonly<Record<string, string>>;
}

/** The series that an expression reads, by Prometheus' own grammar. Fails where it is no expression. */
function parseSelectedSeries(expr: string): Selected[] {
  const text = (node: { from: number; to: number }) => expr.slice(node.from, node.to);
  const selected: Selected[] = [];
  const groupings: string[] = [];
  parser.parse(expr).iterate({
    enter: (node) => {
      if (node.type.isError) throw new Error(`${expr} is no expression at ${node.from}`);
      if (node.name === "GroupingLabels") {
        groupings.push(...node.node.getChildren("LabelName").map(text));
      }
      if (node.name !== "VectorSelector") return;
      const metric = text(node.node.getChild("Identifier")!);
      const matchers = node.node.getChild("LabelMatchers");
      const found = (matchers?.getChildren("UnquotedLabelMatcher") ?? []).map((matcher) => ({
        label: text(matcher.getChild("LabelName")!),
        isEqual: text(matcher.getChild("MatchOp")!) === "=",
        value: text(matcher.getChild("StringLiteral")!).slice(1, -1),
      }));
      selected.push({
        metric,
        labels: found.map(({ label }) => label),
        values: Object.fromEntries(found.flatMap((each) => (each.isEqual ? [[each.label, each.value]] : []))),
      });
    },
  });
  return selected.map((each) => ({ ...each, labels: [...each.labels, ...groupings] }));
}

/** Labels and values that Prometheus puts on whatever it reads. */
const OF_THE_SCRAPE = new Set(["job", "instance"]);

interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

function parseSeries(metrics: string): Series[] {
  return metrics.split("\n").flatMap((line) => {
    const [, name, labels = ""] = /^([a-z_0-9]+)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
    if (name === undefined) return [];
    const found = [...labels.matchAll(/([a-z_]+)="((?:\\.|[^"\\])*)"/g)].map(([, label, value]) => [
      label,
      value,
    ]);
    return [{ name, labels: Object.fromEntries(found) }];
  });
}

const manifest = (source_name: string): StoredManifest => ({
  source_name,
  kind: "leaf",
  coverage: "global",
  coverage_known: "declared",
  refresh_interval_days: 30,
  columns: {},
});

/** The metrics of a service after a request: one of its live sources answers, the other does not. */
async function readServiceMetrics(): Promise<Series[]> {
  const provider = new AreaProvider([{ id: "1", geometry: createSquarePolygon(1, 1) }]);
  const live = new LiveSources(() => provider);
  const postgis = { kind: "postgis", table: "t", geometry: "g", deadline_ms: 200 } as const;
  const live1 = manifest("live:parks");
  live.use([{ manifest: live1, provider: { ...postgis, connection: "postgresql://db.example/parks" } }]);
  const engine = openEngine(
    [
      { manifest: live1, live: true },
      { manifest: manifest("demo:lost"), failed: "lost" },
    ],
    ENGINE_OPTIONS,
  );
  const service = await startService(
    hostInProcess(() => engine, live),
    { editions: () => new Map([["demo:lost", "0".repeat(64)]]) },
  );
  try {
    const caller = new HttpCaller(service);
    const response = await caller.post("/v1/intersections", {
      input: { geometry: createSquarePolygon(1.5, 1.5) },
    });
    expect(response.status).toBe(200);
    return parseSeries(await (await fetch(`${service.url}/metrics`)).text());
  } finally {
    await service.stop();
    await live.close();
  }
}

describe("deploy/prometheus/groundrule-alerts.yml", () => {
  it("reads only metrics that a running service has, with the labels it has", async () => {
    const series = await readServiceMetrics();
    const read = rules.flatMap(({ alert, expr }) =>
      parseSelectedSeries(expr).map((each) => ({ alert, ...each })),
    );
    expect(read.length).toBeGreaterThanOrEqual(rules.length);
    for (const { alert, metric, labels, values } of read) {
      // Prometheus records this about each scrape.
      if (metric === "up") continue;
      // Linux tells of open files; other systems do not.
      if (process.platform !== "linux" && /^process_(open|max)_fds$/.test(metric)) continue;
      const own = series.filter(({ name }) => name === metric);
      expect(own.length, `${alert} reads ${metric}`).toBeGreaterThan(0);
      for (const label of labels.filter((name) => !OF_THE_SCRAPE.has(name))) {
        expect(Object.keys(own[0]!.labels), `${alert} asks for ${label} of ${metric}`).toContain(label);
      }
      for (const [label, value] of Object.entries(values)) {
        if (OF_THE_SCRAPE.has(label)) continue;
        expect(
          own.map((each) => each.labels[label]),
          `${alert}: ${label} of ${metric}`,
        ).toContain(value);
      }
    }
  });

  it("has names of its own, states what to do, and links to a section of the guide", () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    const anchorsOf = (page: string): string[] =>
      [...readFileSync(new URL(page, GUIDES), "utf8").matchAll(/^## (.+)$/gm)].map(([, title]) =>
        title!.toLowerCase().replaceAll(" ", "-"),
      );
    for (const { alert, labels, annotations } of rules) {
      expect(["page", "warn"], alert).toContain(labels.severity);
      expect(annotations.description.length, alert).toBeGreaterThan(20);
      const [, page, anchor] = /\/docs\/guides\/([a-z-]+\.md)#(.+)$/.exec(annotations.runbook_url)!;
      expect(anchorsOf(page!), alert).toContain(anchor);
    }
  });

  it("covers every metric of the guide's table that states when to alert", () => {
    const read = new Set(rules.flatMap(({ expr }) => parseSelectedSeries(expr).map(({ metric }) => metric)));
    const table = /\| Metric +\| Alert when[^\n]*\n([\s\S]*?)\n\n/.exec(GUIDE)![1]!;
    const rows = table.split("\n").filter((row) => !/^\| ?-|for planning|information/.test(row));
    expect(rows.length).toBeGreaterThan(8);
    for (const row of rows) {
      const [, metric] = /`((?:groundrule|process|nodejs)_[a-z0-9_]+)/.exec(row)!;
      expect(
        [...read].some((name) => name === metric || name === `${metric}_bucket`),
        metric,
      ).toBe(true);
    }
  });

  it("is taken by promtool", ({ skip }) => {
    let said: string;
    try {
      said = execFileSync("promtool", ["check", "rules", PATH], { encoding: "utf8" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      skip("promtool is not installed");
      return;
    }
    expect(said).toContain(`SUCCESS: ${rules.length} rules found`);
  });
});
