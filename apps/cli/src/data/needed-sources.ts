import { existsSync } from "node:fs";
import { join } from "node:path";
import { type ListedSource, listedSource } from "@groundrule/contract";
import { WRITTEN_FILES } from "@groundrule/data/sources";
import type { Ruleset } from "@groundrule/engine";
import { compareStrings, getMeasuredColumn, listFilterConditions } from "@groundrule/engine/internal";
import { isObject } from "@groundrule/engine/internal/json";
import { DataError, listSources } from "@groundrule/node";
import type { SourceFile } from "@groundrule/sync";
import { computeEntryAgeDays } from "../words/edition-text.ts";
import { readKnownManifests } from "./manifest-files.ts";
import { readStoredParts } from "./snapshot-files.ts";

/**
 * State of a needed source. An `unfit` one lacks columns that the ruleset reads; a group has the worst state of its
 * members, and is failed if one is missing.
 */
export type SourceState = "here" | "unfit" | "failed" | "missing";

/** A source or group that a ruleset names, with its state in a data folder. */
export interface NeededSource {
  readonly source_name: string;
  /** The kind that the ruleset uses it as. */
  readonly kind: "leaf" | "subject_register";
  readonly state: SourceState;
  /** Columns that the ruleset reads of it, ascending. */
  readonly columns: readonly string[];
  /** The source itself, or the members of the group; for a missing one, those that manifests cover. */
  readonly sources: readonly NeededMember[];
}

/** A source that a ruleset needs, named directly or in a group. */
export interface NeededMember {
  readonly source_name: string;
  readonly state: SourceState;
  readonly edition?: string;
  /** A live source has no edition and no age. */
  readonly live?: true;
  /** The reason why it is failed or unfit. */
  readonly reason?: string;
  readonly collected_at_latest?: string;
  readonly observed_until?: string;
  /** Whole days since the last day it covers, otherwise since its collection. */
  readonly age_days?: number;
  readonly overdue?: boolean;
  /** The manifest that can install it, if it is missing. */
  readonly manifest?: BringingManifest;
}

/** A manifest that can install a source. */
export interface BringingManifest {
  readonly path: string;
  /** Bytes to download; null if the manifest does not state them. */
  readonly bytes: number | null;
  /** The command that installs it: `sources sync`, or `snapshot build` from a named file. */
  readonly by: "sync" | "build";
  /** A raster in many files, of which a sync downloads those for the land of `--countries` or `--bounds`. */
  readonly needs_land?: true;
  /** The file that is expected in the folder of `--from`. */
  readonly file?: string;
  /** The place that file is downloaded from. */
  readonly taken_from?: string;
  /** Changes made to the file since. */
  readonly changes?: string;
  /** The manifest has not been tried on the publisher's data yet. */
  readonly untested?: true;
}

/**
 * The sources and groups that a ruleset names, ascending, and how to install those that are missing. A data folder that
 * does not exist has none.
 *
 * @param now ISO 8601 UTC
 *
 * Fails: as `listSources`, `DATA_FOLDER_MISSING` excepted, and `readKnownManifests`.
 */
export function listNeededSources(ruleset: Ruleset, dir: string, now: string): readonly NeededSource[] {
  const entries = new Map(listSourcesOrNone(dir).map((entry) => [entry.source_name, entry]));
  const stored = readStoredParts(dir);
  const manifests = readKnownManifests(dir);
  const here = (found: ListedSource, { columns }: Named): NeededMember => {
    const { source_name } = found;
    const part = stored.get(source_name);
    const unfit = describeUnfitness(found, columns);
    const reason = part?.failed ?? unfit;
    const { live, collected_at_latest, observed_until, overdue } = listedSource(found, now);
    const age_days = computeEntryAgeDays(found, now);
    return {
      source_name,
      state: part?.failed !== undefined ? "failed" : unfit !== undefined ? "unfit" : "here",
      ...(part !== undefined && { edition: part.edition }),
      ...(live && { live }),
      ...(reason !== undefined && { reason }),
      ...(collected_at_latest !== undefined && { collected_at_latest }),
      ...(observed_until !== undefined && { observed_until }),
      ...(age_days !== undefined && { age_days }),
      ...(overdue !== undefined && { overdue }),
    };
  };
  const brought = (isMeant: (name: string, groups: readonly string[]) => boolean): NeededMember[] =>
    manifests
      .filter(
        ({ source }) =>
          source !== undefined && isMeant(source.manifest.source_name, source.manifest.groups ?? []),
      )
      .map((file): NeededMember => {
        const { source_name } = file.source!.manifest;
        return { source_name, state: "missing", manifest: toBringingManifest(file) };
      })
      .sort((a, b) => compareStrings(a.source_name, b.source_name));
  const memberOf = (name: string, named: Named): NeededMember => {
    const found = entries.get(name);
    const member: NeededMember =
      found === undefined ? { source_name: name, state: "missing" } : here(found, named);
    if (member.state !== "failed" && member.state !== "missing") return member;
    const [again] = brought((source) => source === name);
    return again === undefined ? member : { ...again, ...member };
  };
  return [...collectNamedSources(ruleset)]
    .sort(([a], [b]) => compareStrings(a, b))
    .map(([source_name, named]): NeededSource => {
      const about = { source_name, kind: named.kind, columns: [...named.columns].sort() };
      const found = entries.get(source_name);
      if (found === undefined) {
        const sources = brought((name, groups) => name === source_name || groups.includes(source_name));
        return { ...about, state: "missing", sources };
      }
      const sources = (found.members ?? [source_name]).map((name) => memberOf(name, named));
      const states = new Set(sources.map(({ state }) => state));
      const state =
        states.has("failed") || states.has("missing") ? "failed" : states.has("unfit") ? "unfit" : "here";
      return { ...about, state, sources };
    });
}

/** The reason why a ruleset cannot read a source; undefined if it can. */
function describeUnfitness({ columns = {} }: ListedSource, read: ReadonlySet<string>): string | undefined {
  const absent = [...read].filter((column) => !Object.hasOwn(columns, column)).sort();
  return absent.length === 0 ? undefined : `has no column ${absent.join(", ")}`;
}

function listSourcesOrNone(dir: string): ReturnType<typeof listSources> {
  try {
    return listSources(dir);
  } catch (error) {
    if (error instanceof DataError && error.code === "DATA_FOLDER_MISSING") return [];
    throw error;
  }
}

function toBringingManifest({ path, folder, source }: SourceFile): BringingManifest {
  const { fetch, provider, untested } = source!;
  const origin = fetch?.origin;
  const expected = fetch?.file === undefined ? undefined : join(folder, fetch.file);
  const isThere = expected !== undefined && (existsSync(expected) || WRITTEN_FILES.has(expected));
  const file = isThere ? undefined : fetch?.file;
  return {
    path,
    bytes: fetch?.bytes ?? null,
    by: fetch === undefined && provider === undefined ? "build" : "sync",
    ...(fetch?.granules !== undefined && { needs_land: true }),
    ...(file !== undefined && { file }),
    ...(file !== undefined && origin !== undefined && { taken_from: origin.taken_from }),
    ...(file !== undefined && origin?.changes !== undefined && { changes: origin.changes }),
    ...(untested && { untested: true }),
  };
}

interface Named {
  readonly kind: NeededSource["kind"];
  readonly columns: Set<string>;
}

/** The sources and groups that the sets of a ruleset name, with the columns that it reads of them. */
function collectNamedSources(ruleset: Ruleset): ReadonlyMap<string, Named> {
  const columns = collectReadColumns(ruleset);
  const named = new Map<string, Named>();
  for (const [set, of] of Object.entries(ruleset.sets)) {
    const [names, kind] =
      "sources" in of
        ? ([of.sources, "leaf"] as const)
        : "registers" in of
          ? ([of.registers, "subject_register"] as const)
          : ([[], "leaf"] as const);
    for (const name of names) {
      const known = named.get(name) ?? { kind, columns: new Set() };
      for (const column of columns.get(set) ?? []) known.columns.add(column);
      named.set(name, known);
    }
  }
  return named;
}

/** Members that every area has in addition to its columns. */
const COMMON = new Set(["source_name", "source_id", "name", "country_iso3", "category"]);

/** The columns that filters, measures and evidence read, by set. */
function collectReadColumns(ruleset: Ruleset): ReadonlyMap<string, ReadonlySet<string>> {
  const read = new Map<string, Set<string>>(Object.keys(ruleset.sets).map((set) => [set, new Set<string>()]));
  const add = (set: string, column: string): void => {
    if (column !== "" && !COMMON.has(column)) read.get(set)?.add(column);
  };
  for (const [set, of] of Object.entries(ruleset.sets))
    if ("show" in of) for (const column of of.show ?? []) add(set, column);
  for (const { set, condition } of listFilterConditions(ruleset)) {
    forEachObject(condition, ({ property }) => typeof property === "string" && add(set, property));
  }
  // Comparisons, and measured thresholds.
  forEachObject(ruleset.checks, ({ set, measure }) => {
    if (typeof set === "string" && measure !== undefined)
      add(set, getMeasuredColumn(measure as Parameters<typeof getMeasuredColumn>[0]));
  });
  return read;
}

/** Calls back for every object in a JSON value, including itself. */
function forEachObject(value: unknown, tell: (members: Readonly<Record<string, unknown>>) => void): void {
  if (isObject(value)) tell(value as Readonly<Record<string, unknown>>);
  if (typeof value === "object" && value !== null)
    for (const part of Object.values(value)) forEachObject(part, tell);
}
