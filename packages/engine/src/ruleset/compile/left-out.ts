import { EngineError } from "../../base/errors.ts";
import { formatSuggestion } from "../../base/nearest-name.ts";
import { describeValue } from "../../shape/describe-value.ts";
import type { SourceKind } from "../../snapshot/manifest.ts";
import type { EngineSource, SourceDoneWithout, SourceTable } from "../../sources/source-table.ts";
import type { Ruleset } from "../parse/schema.ts";

/** The sources and groups that an evaluation is to do without, by name, ascending. */
export type LeftOut = ReadonlyMap<string, SourceDoneWithout>;

/**
 * Resolves the names of sources and groups to do without: each of the kind that the ruleset names it as. Nothing that the engine
 * contains of them counts, so that a record replays where they are absent.
 *
 * Fails: `SOURCE_UNKNOWN` for a name that the ruleset does not use, or uses only through a group that is left out too.
 */
export function resolveLeftOut(table: SourceTable, { sets }: Ruleset, names: readonly string[]): LeftOut {
  const used = new Map<string, SourceKind>();
  for (const set of names.length === 0 ? [] : Object.values(sets)) {
    const [own, kind] =
      "sources" in set
        ? ([set.sources, "leaf"] as const)
        : "registers" in set
          ? ([set.registers, "subject_register"] as const)
          : ([[], "leaf"] as const);
    for (const name of own) {
      const isLeftOut = names.includes(name);
      const members = table.expand(name) ?? [];
      const all = isLeftOut ? [name] : [name, ...members.map(({ manifest }) => manifest.source_name)];
      for (const each of all) used.set(each, used.get(each) ?? findSourceKind(table, each) ?? kind);
    }
  }
  const sorted = [...new Set(names)].sort();
  return new Map(
    sorted.map((source_name) => {
      const kind = used.get(source_name);
      if (kind !== undefined) return [source_name, { manifest: { source_name, kind }, without: true }];
      const meant = formatSuggestion(source_name, used.keys());
      const message = `found ${describeValue(source_name)} to leave out, expected a source or a group that the ruleset names${meant}`;
      const faults = [{ pointer: `/without/${names.indexOf(source_name)}`, code: "SOURCE_UNKNOWN", message }];
      throw new EngineError("SOURCE_UNKNOWN", message, { name: source_name, faults });
    }),
  );
}

/**
 * The sources for a name, as {@link SourceTable.expand} lists them, without the sources and groups that are left out.
 */
export function expandWithoutLeftOut(
  table: SourceTable,
  leftOut: LeftOut,
  name: string,
): readonly EngineSource[] | undefined {
  const omitted = leftOut.get(name);
  if (omitted !== undefined) return [omitted];
  return table.expand(name)?.map((source) => leftOut.get(source.manifest.source_name) ?? source);
}

/** The kind of a source, or of a group's members; undefined where the engine does not have it. */
function findSourceKind(table: SourceTable, name: string): SourceKind | undefined {
  const members = table.groups().has(name) ? table.expand(name) : [table.find(name)];
  return members?.[0]?.manifest.kind;
}
