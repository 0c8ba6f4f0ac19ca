import type { OpenData } from "@groundrule/node";

type DataView = OpenData["current"];

/**
 * Log lines for the changes from one state of a data folder to the next: sources by name, with the digests of the new
 * and the previous edition.
 */
export function formatSwitchLines(before: DataView, after: DataView): string[] {
  const lines = [
    ...formatEditionLines(before.editions, after.editions),
    ...formatFailureLines(before, after),
    ...formatLiveLines(before, after),
    ...formatGroupChanges(before, after),
  ];
  return lines.length > 0 ? lines : ["opened its data folder again; editions and groups have not changed"];
}

type Editions = DataView["editions"];

function formatEditionLines(before: Editions, after: Editions): string[] {
  return mergeSortedNames(before.keys(), after.keys()).flatMap((name) => {
    const [old, current] = [before.get(name), after.get(name)];
    if (old === current) return [];
    if (old === undefined) return [`now uses the new source ${name} ${current}`];
    if (current === undefined) return [`no longer uses ${name} ${old}`];
    return [`now uses ${name} ${current} instead of ${old}`];
  });
}

/** Lines for sources whose file can no longer be opened, or can be again. */
function formatFailureLines(before: DataView, after: DataView): string[] {
  const [old, current] = [getFailureReasons(before), getFailureReasons(after)];
  return mergeSortedNames(old.keys(), current.keys()).flatMap((name) => {
    const reason = current.get(name);
    if (reason === old.get(name)) return [];
    if (reason !== undefined) return [`cannot use ${name} ${after.editions.get(name) ?? ""}: ${reason}`];
    return after.editions.has(name) ? [`can use ${name} ${after.editions.get(name)} again`] : [];
  });
}

function getFailureReasons({ engine }: DataView): ReadonlyMap<string, string> {
  return new Map(engine.failures().map(({ source_name, reason }) => [source_name, reason]));
}

function formatLiveLines(before: DataView, after: DataView): string[] {
  const definitionsOf = ({ live }: DataView) =>
    new Map(live.map((entry) => [entry.manifest.source_name, JSON.stringify(entry)]));
  const [old, current] = [definitionsOf(before), definitionsOf(after)];
  return mergeSortedNames(old.keys(), current.keys()).flatMap((name) => {
    if (old.get(name) === current.get(name)) return [];
    if (!old.has(name)) return [`now uses the new live source ${name}`];
    if (!current.has(name)) return [`no longer uses the live source ${name}`];
    return [`uses a changed connection for the live source ${name}`];
  });
}

function formatGroupChanges(before: DataView, after: DataView): string[] {
  const [old, current] = [before.engine.groups(), after.engine.groups()];
  return mergeSortedNames(Object.keys(old), Object.keys(current)).flatMap((group) => {
    const [had, has] = [old[group], current[group]];
    if (had === undefined) return [`has a new group ${group} of ${has!.join(", ")}`];
    if (has === undefined) return [`no longer has the group ${group}, whose members were ${had.join(", ")}`];
    const [joined, left] = [omitMembers(has, had), omitMembers(had, has)];
    if (joined.length + left.length === 0) return [];
    const changes = [
      ...(joined.length > 0 ? [`now has ${joined.join(", ")}`] : []),
      ...(left.length > 0 ? [`no longer has ${left.join(", ")}`] : []),
    ];
    return [`its group ${group} ${changes.join(" and ")}`];
  });
}

function omitMembers(members: readonly string[], others: readonly string[]): string[] {
  return members.filter((member) => !others.includes(member));
}

function mergeSortedNames(...names: readonly Iterable<string>[]): string[] {
  return [...new Set(names.flatMap((each) => [...each]))].sort();
}
