import type { Answerer, RulesetChoice } from "../answering/answerer.ts";
import { language, words } from "../languages/language.ts";

/** The facts about a ruleset that are shown before it is used. */
export interface RulesetFacts {
  readonly checks: number;
  /** The sources and groups that it names, ascending. */
  readonly needed: readonly NeededSource[];
}

/** A source or group that a ruleset names. */
export interface NeededSource {
  readonly name: string;
  readonly isHere: boolean;
  /** The last day it covers, otherwise that of its collection; for a group, the oldest of its members. */
  readonly day?: string | undefined;
  /** The manifests that can install it, if it is missing. */
  readonly manifests: readonly Manifest[];
}

/** A manifest that comes with the command: its name, the bytes to download if known, and the sources it installs. */
export type Manifest = readonly [name: string, bytes: number | null, ...brings: string[]];

let fetched: Promise<readonly Manifest[]> | undefined;

/** The manifests that come with the command, fetched once; none if they cannot be fetched. */
export function fetchManifests(): Promise<readonly Manifest[]> {
  fetched ??= fetch("manifests.json")
    .then((found) => found.json() as Promise<readonly Manifest[]>)
    .catch(() => []);
  return fetched;
}

/**
 * The sources that a ruleset needs.
 *
 * Fails: as {@link Answerer.ruleset} and {@link Answerer.sources} do.
 */
export async function loadRulesetFacts(
  answerer: Answerer,
  chosen: RulesetChoice,
  manifests: readonly Manifest[],
): Promise<RulesetFacts> {
  const body = "body" in chosen ? chosen.body : (await answerer.ruleset(chosen.id)).body;
  const { sets, checks } = body as { readonly sets?: unknown; readonly checks?: unknown };
  const all = typeof sets === "object" && sets !== null ? sets : {};
  const known = new Map((await answerer.sources()).map((source) => [source.source_name, source]));
  const named = new Set(
    Object.values(all as Record<string, { sources?: unknown; registers?: unknown } | null>)
      .flatMap((set) => [set?.sources, set?.registers].flat())
      .filter((name) => typeof name === "string"),
  );
  const dayOf = (name: string): string | undefined => {
    const { members, observed_until, collected_at_latest } = known.get(name) ?? {};
    const days = members?.map(dayOf) ?? [(observed_until ?? collected_at_latest)?.slice(0, 10)];
    return days.filter((day) => day !== undefined).sort()[0];
  };
  return {
    checks: Array.isArray(checks) ? checks.length : 0,
    needed: [...named].sort().map((name) => {
      const isHere = known.has(name);
      const brings = manifests.filter(([, , ...brought]) => !isHere && brought.includes(name));
      return { name, isHere, day: dayOf(name), manifests: brings };
    }),
  };
}

/** The names of missing sources, ascending. */
export function listMissingSources(needed: readonly NeededSource[]): readonly string[] {
  return needed.flatMap(({ name, isHere }) => (isHere ? [] : name));
}

/** A text with the number of available sources, the day of the oldest, and the bytes to download for the rest. */
export function describeNeededSources(needed: readonly NeededSource[]): string {
  const missing = needed.filter(({ isHere }) => !isHere);
  const days = needed.flatMap(({ day }) => day ?? []).sort();
  const brought = new Set(missing.flatMap(({ manifests }) => manifests));
  const isUnknown = missing.some(({ manifests }) => manifests.length === 0);
  return words.value.rulesetNeeds(
    needed.length - missing.length,
    needed.length,
    days[0],
    missing.length,
    formatTotalBytes(isUnknown ? [null] : [...brought].map(([, bytes]) => bytes)),
  );
}

/** The sum of bytes as text; unknown sizes are shown as unknown. */
export function formatTotalBytes(all: readonly (number | null)[]): string {
  if (all.includes(null)) return words.value.rulesetBytesUnknown;
  const megabytes = all.reduce<number>((sum, bytes) => sum + bytes!, 0) / 1e6;
  const digits = { maximumSignificantDigits: 2 };
  return `${megabytes.toLocaleString(language.value, megabytes < 10 ? digits : { maximumFractionDigits: 0 })} MB`;
}

/**
 * The command that lists how to install a ruleset's missing sources; for one that is no preset, after it was saved to a
 * file.
 */
export function formatInstallCommand(chosen: RulesetChoice | undefined): string {
  const id = chosen !== undefined && "id" in chosen ? chosen.id : "";
  const ruleset = id.startsWith("preset.") ? id : "FILE";
  return `groundrule sources list --needed-by ${ruleset}`;
}
