import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Verdict } from "@groundrule/engine";
import { openData } from "@groundrule/node";
import { createSeededRandom, type Random } from "@groundrule/testing/random";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { runInProcess } from "./in-process.ts";

const SOURCES = ["t:a", "t:b"] as const;
const GROUP = "g:all";
const NOW = "2026-06-30T12:00:00Z";
const PLACES = [0, 1, 2, 3, 4, 5, 6, 7] as const;
/** Places of each source's areas: enough of them that guards let most sequences pass. */
const AREA_PLACES = { "t:a": PLACES, "t:b": [1, 3, 5, 7] } as const;

const RULESETS = {
  group: { sets: { s: { sources: [GROUP] } } },
  where: { sets: { s: { sources: [GROUP], where: "detected > DATE('2020-12-31')" } } },
  source: { sets: { s: { sources: ["t:a"], coverage: "declared" } } },
};
const CHECKS = [{ id: "c", set: "s", outcome: "NON_COMPLIANT" }];

/** Result of one ruleset's query of each source: its areas with the values that rulesets read, and whether its coverage is declared. */
type QueriedSources = ReadonlyMap<
  string,
  { readonly areas: ReadonlyMap<string, string>; readonly isDeclared: boolean }
>;

/** The answers of one ruleset that were given in full, and all that was printed since. */
interface Baseline {
  readonly words: readonly string[];
  readonly queried: QueriedSources;
  printed: string;
}

export interface SequenceCounts {
  steps: number;
  /** Steps after which some verdict was better than the last one. */
  better: number;
  /** The better ones whose ruleset queried less than before. */
  less: number;
}

/**
 * Plays a random sequence of builds, syncs, definitions of groups, removals, pins and roll-backs on one data folder,
 * each by the command, and asks eight plots after each step.
 *
 * @returns how often verdicts became better
 *
 * Fails: where a verdict became better than the last one that was answered in full, a source was asked less, and no line
 * printed since then named it
 */
export async function playSilentSequence(seed: number, steps: number): Promise<SequenceCounts> {
  const folder = mkdtempSync(join(tmpdir(), "groundrule-silent-"));
  const counts = { steps, better: 0, less: 0 };
  try {
    const world = new SilentWorld(folder, createSeededRandom(seed));
    const baselines = new Map<string, Baseline>();
    const played: string[] = [];
    for (let step = 0; step < steps; step++) {
      const args = world.randomStep();
      played.push(args.join(" "));
      const { out, err } = await runInProcess([...args, "--data", world.data]);
      for (const [name, ruleset] of Object.entries(RULESETS)) {
        const before = baselines.get(name);
        if (before !== undefined) before.printed += `${out}\n${err}\n`;
        const now = world.ask(ruleset);
        if (now === undefined) continue;
        const isBetter = before?.words.some((word, i) => RANK[now.words[i]!]! > RANK[word]!) ?? false;
        if (before !== undefined && isBetter) {
          counts.better++;
          const lost = listLostSources(before.queried, now.queried);
          if (lost.length > 0) counts.less++;
          for (const source of lost) {
            if (isReported(source, before.printed)) continue;
            throw new Error(
              `seed ${seed}: ${name} became better in silence: ${source} is asked less\n${played.join("\n")}\n--- printed:\n${before.printed}`,
            );
          }
        }
        baselines.set(name, { ...now, printed: "" });
      }
    }
    return counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const RANK: Readonly<Record<string, number>> = { NON_COMPLIANT: 0, WARNING: 1, COMPLIANT: 2 };

/** The sources that hold less than they did, or whose silence is no longer declared to mean anything. */
function listLostSources(before: QueriedSources, after: QueriedSources): string[] {
  return [...before].flatMap(([source, was]) => {
    const is = after.get(source);
    if (is === undefined || (was.isDeclared && !is.isDeclared)) return [source];
    return [...was.areas].some(([id, read]) => is.areas.get(id) !== read) ? [source] : [];
  });
}

function isReported(source: string, printed: string): boolean {
  const lines = printed.split("\n");
  return lines.some(
    (line) =>
      new RegExp(`${source} (changed: (areas|groups|coverage|columns)|left |stays a member)`).test(line) ||
      (line.includes(`"source_name":"${source}"`) && line.includes('"removed":')),
  );
}

class SilentWorld {
  readonly data: string;
  readonly #folder: string;
  readonly #random: Random;

  constructor(folder: string, random: Random) {
    this.#folder = folder;
    this.#random = random;
    this.data = join(folder, "data");
    this.#write("polygons.geojson", createSquarePolygon(-60, -11, 6));
  }

  /** Undefined where the ruleset is refused, or a verdict is degraded: nobody takes that for an answer. */
  ask(ruleset: object): { readonly words: readonly string[]; readonly queried: QueriedSources } | undefined {
    let verdicts: Verdict[];
    let engine: ReturnType<typeof openData>["engine"];
    try {
      engine = openData(this.data).engine;
      const policy = engine.compile({ ...ruleset, checks: CHECKS });
      verdicts = PLACES.map((place) => policy.evaluate({ geometry: makeSquare(place, 0.2) }, { now: NOW }));
    } catch {
      return undefined;
    }
    if (verdicts.some(({ status }) => status === "degraded")) return undefined;
    const queried = verdicts[0]!.sources.map(({ source_name, coverage, coverage_known }) => {
      const found = PLACES.flatMap(
        (place) => engine.intersections(makeSquare(place, 1), { sources: [source_name] }).matches,
      );
      const areas = new Map(
        found.map(({ source_id, properties }) => [source_id, String(properties.detected)]),
      );
      const isDeclared = coverage !== "undeclared" && coverage_known !== "derived";
      return [source_name, { areas, isDeclared }] as const;
    });
    return { words: verdicts.map(({ verdict }) => verdict), queried: new Map(queried) };
  }

  randomStep(): string[] {
    const random = this.#random;
    const source = pickRandomItem(random, SOURCES);
    const chance = (share: number) => random.next() < share;
    const allow = chance(0.15) ? ["--allow", "shrunk,narrowed,regrouped,empty"] : [];
    switch (random.integer(10)) {
      case 0:
      case 1:
        return [
          ...["snapshot", "build", "--source", source],
          ...(chance(0.5) ? ["--id", "id", "--country", "iso3"] : []),
          ...(chance(0.3)
            ? ["--coverage", pickRandomItem(random, ["BRA", "global", this.#path("polygons.geojson")])]
            : []),
          ...(chance(0.2) ? ["--group", GROUP] : []),
          ...(chance(0.2) ? ["--afresh"] : []),
          ...allow,
          this.#file(source),
        ];
      case 2:
        return ["snapshot", "build", "--manifest", this.#manifest(source), ...allow, this.#file(source)];
      case 3:
      case 4:
      case 5: {
        const path = this.#manifest(source, this.#file(source));
        return ["sources", "sync", "--manifests", path, "--from", this.#folder, ...allow];
      }
      case 6: {
        const members = SOURCES.filter(() => chance(0.6));
        return ["sources", "group", GROUP, ...(members.length === 0 ? ["--remove"] : members)];
      }
      case 7:
        return ["sources", "remove", source, "--yes", ...(chance(0.5) ? ["--leave-groups"] : [])];
      case 8:
        return ["sources", "use", source, "previous", ...(chance(0.5) ? ["--no-pin"] : [])];
      default:
        return ["sources", "release", source];
    }
  }

  /** A file of a source as publishers send them: whole, short, nearly empty, a column renamed or without values. */
  #file(source: (typeof SOURCES)[number]): string {
    const form = pickRandomItem(this.#random, [
      "whole",
      "whole",
      "short",
      "few",
      "renamed",
      "hollow",
      "moved",
    ]);
    const all = AREA_PLACES[source];
    const places = form === "short" ? all.slice(0, -2) : form === "few" ? all.slice(0, 1) : all;
    const features = places.map((place) => ({
      type: "Feature",
      geometry: makeSquare(form === "moved" ? (place + 4) % 8 : place, 1),
      properties: {
        id: `area-${place}`,
        iso3: "BRA",
        [form === "renamed" ? "found" : "detected"]: form === "hollow" ? null : `202${place % 4}-06-01`,
      },
    }));
    const name = `${source.replace(":", "_")}-${form}.geojson`;
    this.#write(name, { type: "FeatureCollection", features });
    return this.#path(name);
  }

  #manifest(source: string, file?: string): string {
    const random = this.#random;
    const chance = (share: number) => random.next() < share;
    const manifest = {
      ...{ source_name: source, kind: "leaf", id: "id", country: "iso3" },
      ...(chance(0.7) && { columns: { detected: "date" } }),
      ...(chance(0.7) && { groups: [GROUP] }),
      ...(chance(0.8) && {
        coverage: pickRandomItem(random, [["BRA"], "global", { polygons: "polygons.geojson" }]),
      }),
      ...(file !== undefined && { fetch: { file: file.slice(this.#folder.length + 1) } }),
    };
    const name = `${source.replace(":", "_")}.json`;
    this.#write(name, manifest);
    return this.#path(name);
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }

  #write(name: string, value: unknown): void {
    writeFileSync(this.#path(name), JSON.stringify(value));
  }
}

function pickRandomItem<Item>(random: Random, items: readonly Item[]): Item {
  return items[random.integer(items.length)]!;
}

/** In the middle of Brazil, each place a degree from the next. */
function makeSquare(place: number, side: number): ReturnType<typeof createSquarePolygon> {
  return createSquarePolygon(-59 + place + (1 - side) / 2, -10 + (1 - side) / 2, side);
}
