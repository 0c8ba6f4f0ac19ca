import { type ChangedFeature, diffEditions, type EditionDiff } from "@groundrule/node";
import { diffFeatures, findWaitingEdition, resolveEdition } from "@groundrule/node/internal";
import { UsageError } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { defineOption } from "../../command-line/command-line.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import { getDataFolder } from "../../data/data-folder.ts";
import { printTable } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { formatDiffSummary, shortenEdition } from "../../words/edition-text.ts";
import { figures } from "../../words/figures.ts";

const SHOWN = 20;

export const sourcesDiffCommand: Command = {
  summary: "Show the differences between two editions of a source",
  examples: ["br:cnuc"],
  operands: "NAME [A [B]]",
  options: [
    defineOption(
      "geojson",
      "print a FeatureCollection: the added and removed areas, and the land that changed areas gained and lost",
    ),
    defineOption("limit N", `number of changes that the table shows (default ${SHOWN})`),
  ],
  details: [
    "A is the earlier edition and B the later one: a digest, at least 6 first digits that no other edition has, or one of the words previous, current and waiting. By default, current is compared with waiting: the edition that a release would make current, else the newest one if a guard kept it from becoming current. If none waits, previous is compared with current.",
    "Areas and records are matched by id, and those without a match by their rings or identifiers. Where the manifest names no column of the id, they are matched by content first. Square metres are measured on the ellipsoid and summed over areas: land that two areas of one edition share counts twice.",
    "A pipe gets one JSON line of sums, then one line for each change.",
  ],
  async run(args, terminal) {
    const dir = getDataFolder(args);
    const [name, a, b = "current"] = args.operands;
    if (args.flag("geojson") && args.flag("json")) {
      throw new UsageError("found both --geojson and --json, expected one of them");
    }
    const limit = args.findInteger("limit", 0, 1_000_000) ?? SHOWN;
    const isWaiting = a === undefined && findWaitingEdition(dir, name!) !== undefined;
    const [earlier, later] = isWaiting ? ["current", "waiting"] : [a ?? "previous", b];
    const before = resolveEdition(dir, name!, earlier);
    const after = resolveEdition(dir, name!, later);
    if (args.flag("geojson")) await printFeatureCollection(diffFeatures(dir, name!, before, after), terminal);
    else {
      const diff = diffEditions(dir, name!, before, after);
      if (args.flag("json") || !terminal.human) await printDiffLines(diff, terminal);
      else await printDiffTables(diff, limit, terminal);
    }
    return EXIT.done;
  },
};

async function printFeatureCollection(features: Iterable<object>, terminal: Terminal): Promise<void> {
  await terminal.print('{"type":"FeatureCollection","features":[');
  let line: string | undefined;
  for (const feature of features) {
    if (line !== undefined) await terminal.print(`${line},`);
    line = JSON.stringify(feature);
  }
  await terminal.print(`${line ?? ""}]}`);
}

async function printDiffLines(
  { added, removed, changed, ...sums }: EditionDiff,
  terminal: Terminal,
): Promise<void> {
  await terminal.printJson(sums);
  for (const [change, features] of Object.entries({ added, removed, changed }))
    for (const each of features) await terminal.printJson({ change, ...each });
}

async function printDiffTables(diff: EditionDiff, limit: number, terminal: Terminal): Promise<void> {
  const { source_name, before, after } = diff;
  await terminal.print(
    terminal.style("bold", `${source_name}: ${shortenEdition(before)} to ${shortenEdition(after)}`),
  );
  for (const line of formatDiffSummary(diff)) await terminal.print(line);
  if (diff.cells !== undefined) await printCellChanges(diff.cells, limit, terminal);
  const rows = [
    ...diff.added.map((each) => [
      "added",
      each.id,
      each.name ?? "",
      formatHectares(each.square_meters),
      "",
      "",
    ]),
    ...diff.removed.map((each) => [
      "removed",
      each.id,
      each.name ?? "",
      "",
      formatHectares(each.square_meters),
      "",
    ]),
    ...diff.changed.map((each) => [
      ...["changed", each.id, each.name ?? ""],
      ...[
        formatHectares(each.square_meters_gained),
        formatHectares(each.square_meters_lost),
        describeChangedFeature(each),
      ],
    ]),
  ];
  if (rows.length === 0 || limit === 0) return;
  const columns = [
    { title: "change" },
    { title: "id", cutLast: true },
    { title: "name" },
    { title: "ha gained", align: "right" },
    { title: "ha lost", align: "right" },
    { title: "attributes" },
  ] as const;
  await terminal.print("");
  await printTable(columns, rows.slice(0, limit), terminal);
  if (rows.length > limit)
    await terminal.print(`… and ${figures.decimal(rows.length - limit, 0)} more: --limit N, or --json`);
}

/** Prints the differences between the cells of two editions. */
async function printCellChanges(
  { blocks, blocks_changed, changes }: NonNullable<EditionDiff["cells"]>,
  limit: number,
  terminal: Terminal,
): Promise<void> {
  const count = (number: number) => figures.decimal(number, 0);
  await terminal.print(`${count(blocks_changed)} of ${count(blocks)} blocks of 256 × 256 cells differ`);
  if (changes.length === 0 || limit === 0) return;
  const contentOf = (content: (typeof changes)[number]["before"]) =>
    content.is === "area" ? content.id : `(${content.is})`;
  const rows = changes
    .slice(0, limit)
    .map(({ before, after, cells, square_meters }) => [
      contentOf(before),
      contentOf(after),
      count(cells),
      formatHectares(square_meters),
    ]);
  const columns = [
    { title: "cells were" },
    { title: "are" },
    { title: "cells", align: "right" },
    { title: "ha", align: "right" },
  ] as const;
  await terminal.print("");
  await printTable(columns, rows, terminal);
}

function formatHectares(squareMeters: number | undefined): string {
  return squareMeters === undefined ? "" : figures.decimal(squareMeters / 10_000, 4);
}

function describeChangedFeature({ attributes, identifiers, id_before }: ChangedFeature): string {
  const count = (identifiers?.added.length ?? 0) + (identifiers?.removed.length ?? 0);
  return [
    ...(id_before === undefined ? [] : [`id was ${id_before}`]),
    ...Object.keys(attributes),
    ...(count === 0 ? [] : [`${count} identifiers`]),
  ].join(", ");
}
