import {
  disconnectLiveSource,
  listEditions,
  releasePin,
  removeEdition,
  removeSource,
  setGroup,
  useEdition,
  verifyEditions,
} from "@groundrule/node";
import { getCurrentMeta, listStoredEditions, readCatalog, resolveEdition } from "@groundrule/node/internal";
import { type Arguments, UsageError } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { defineOption } from "../../command-line/command-line.ts";
import { EXIT, type ExitCode } from "../../command-line/exit-code.ts";
import { ALLOW_OPTION, noteNotReleased, readAllowedGuards } from "../../data/allow-option.ts";
import { getDataFolder } from "../../data/data-folder.ts";
import { InputFileError } from "../../files/input-file.ts";
import { type Terminal, toPrintable } from "../../terminal/terminal.ts";
import { noteAffectedGroups, noteSourceChanges } from "../../words/change-lines.ts";
import { formatCount } from "../../words/change-tally.ts";
import { shortenEdition } from "../../words/edition-text.ts";
import { figures } from "../../words/figures.ts";
import { printValues } from "../../words/show-value.ts";

export const sourcesUseCommand: Command = {
  summary: "Make a stored edition current, and pin the source to it",
  examples: ["br:cnuc previous"],
  operands: "NAME EDITION",
  options: [
    defineOption(
      "no-pin",
      "do not pin: the next edition that is built becomes current; also removes an earlier pin",
    ),
  ],
  details: [
    'EDITION is a digest, at least 6 first digits that no other edition of the source has, "current", "previous", which is the edition built before the current one, or "waiting": the one that a release would make current, else the newest one. The command checks the content of the edition against its digest.',
    "A pinned source stays on this edition, even when new ones are built, until sources release. The guards are not asked: the edition counts as accepted, and later ones are compared with it. A running server switches within a second, without a failed request.",
  ],
  async run(args, terminal) {
    const dir = getDataFolder(args);
    const [name, named] = args.operands;
    const edition = resolveEdition(dir, name!, named!);
    const pin = !args.flag("no-pin");
    const changes = await useEdition(dir, name!, edition, { pin });
    if (args.flag("json") || !terminal.human) {
      await terminal.printJson({ source_name: name, edition, is_pinned: pin, changes });
    } else {
      const pinned = pin ? `, pinned until groundrule sources release ${name}` : "";
      await terminal.print(`${name} now uses ${shortenEdition(edition)}${pinned}`);
    }
    noteSourceChanges(name!, changes, terminal);
    return EXIT.done;
  },
};

export const sourcesReleaseCommand: Command = {
  summary: "Remove the pin of a source, and switch to the edition that is waiting",
  operands: "NAME",
  options: [ALLOW_OPTION],
  details: [
    "The waiting edition is the newest one that passed the guards: the one that was current before the pin, or one that was built since then. A release never goes back to an edition that was built before the one in use.",
    "The guards compare it with the edition in use. If they object, the pin stays and the exit code is 1; --allow names the guards to skip. To remove the pin and stay on the edition in use: groundrule sources use --no-pin NAME EDITION",
  ],
  async run(args, terminal) {
    const dir = getDataFolder(args);
    const name = args.operands[0]!;
    const allow = readAllowedGuards(args);
    const before = readCatalog(dir).sources.find(({ manifest }) => manifest.source_name === name)?.edition;
    const { released, edition, findings, changes } = await releasePin(dir, name, { allow });
    if (args.flag("json") || !terminal.human) {
      await terminal.printJson({ source_name: name, edition, released, findings, changes });
    } else if (findings.length > 0)
      await terminal.print(`${name} stays pinned to ${shortenEdition(edition)}`);
    else if (!released) await terminal.print(`${name} is not pinned; it uses ${shortenEdition(edition)}`);
    else {
      const went = edition === before ? "still uses" : "now uses";
      await terminal.print(`${name} is released and ${went} ${shortenEdition(edition)}`);
    }
    noteSourceChanges(name, changes, terminal);
    if (findings.length === 0) return EXIT.done;
    noteNotReleased(name, edition, findings, terminal);
    return EXIT.failOn;
  },
};

export const sourcesEditionsCommand: Command = {
  summary: "List the stored editions of a source, the newest first",
  operands: "NAME",
  details: [
    "An edition is named by its digest, or by at least 6 first digits that no other edition has. The words current and previous name the current edition and the one built before it.",
    'Hectares are the sum over areas: land that two of them share counts twice. A pinned source stays on its current edition; the edition marked "next" becomes current when the pin is released.',
  ],
  async run(args, terminal) {
    const editions = listEditions(getDataFolder(args), args.operands[0]!);
    const columns = [
      { title: "edition", cutLast: true },
      { title: "built" },
      { title: "features", align: "right" },
      { title: "hectares", align: "right" },
      { title: "left out", align: "right" },
      { title: "MB", align: "right" },
      { title: "state" },
    ] as const;
    return printValues(editions, args, terminal, columns, (each) => [
      shortenEdition(each.edition),
      each.built_at.slice(0, 10),
      each.feature_count === undefined ? "" : figures.decimal(each.feature_count, 0),
      each.square_meters === undefined ? "" : figures.decimal(each.square_meters / 10_000, 0),
      each.left_out === undefined ? "" : figures.decimal(each.left_out, 0),
      figures.decimal(each.bytes / 1e6, 1),
      [
        each.is_current && "current",
        each.is_pinned && "pinned",
        each.is_next && "next",
        each.failed !== undefined && "damaged",
      ]
        .filter(Boolean)
        .join(" "),
    ]);
  },
};

export const sourcesVerifyCommand: Command = {
  summary: "Check the content of every stored edition against the digest that names it",
  operands: "[NAME]…",
  operandCount: [0, 1024],
  details: [
    "Exits with 3 if an edition is damaged or missing. A damaged current edition makes its source fail: go back with sources use NAME previous, or build it again from the same file, which gives the same edition. A damaged edition that is not current can be removed, or built again if records need it.",
  ],
  async run(args, terminal) {
    const dir = getDataFolder(args);
    const names = args.operands.length === 0 ? undefined : args.operands;
    const catalog = readCatalog(dir);
    for (const name of args.operands) getCurrentMeta(catalog, dir, name);
    const isPlain = terminal.human && !args.flag("json");
    let damaged = 0;
    for (const state of verifyEditions(dir, names)) {
      if (state.status !== "ok") damaged++;
      if (!isPlain) {
        await terminal.printJson(state);
        continue;
      }
      const { source_name, edition, status, reason, is_current } = state;
      const mark = terminal.style(status === "ok" ? "green" : "red", status.padEnd(8));
      await terminal.print(
        `${mark} ${shortenEdition(edition)}  ${source_name}${is_current ? "  current" : ""}`,
      );
      if (reason !== undefined) await terminal.print(`         ${toPrintable(reason)}`);
    }
    return damaged === 0 ? EXIT.done : EXIT.badInput;
  },
};

export const sourcesRemoveCommand: Command = {
  summary: "Remove a source, or one of its editions that is not current",
  operands: "NAME [EDITION] | --fictional",
  operandCount: [0, 2],
  options: [
    defineOption(
      "yes",
      "for a source: delete all its editions; without it, and without --keep-editions, nothing is removed",
    ),
    defineOption("keep-editions", "for a source: keep its files, so that records can still be replayed"),
    defineOption(
      "leave-groups",
      "for a source: also take it out of its groups, which then no longer query it",
    ),
    defineOption(
      "fictional",
      "remove every fictional source, such as those of the demo, also from their groups",
    ),
  ],
  details: [
    "Without EDITION, the source leaves the catalog, and with --yes its editions are deleted. A record that was made with a deleted edition can no longer be replayed: sources prune deletes only what nothing needs.",
    "A group keeps a source that is removed: the source fails there, and verdicts that use the group are DEGRADED, until the source is built again or sources group defines the group again.",
    "A process that has an edition open can use it until it closes it.",
  ],
  async run(args, terminal) {
    const dir = getDataFolder(args);
    const [name, named] = args.operands;
    const keepEditions = args.flag("keep-editions");
    const leaveGroups = args.flag("leave-groups");
    if (named !== undefined && (keepEditions || leaveGroups)) {
      throw new UsageError("--keep-editions and --leave-groups are for a whole source, expected no EDITION");
    }
    const isPlain = terminal.human && !args.flag("json");
    if (args.flag("fictional")) return removeFictionalSources(dir, args, terminal);
    if (name === undefined) throw new UsageError("NAME is missing");
    if (named !== undefined) {
      const edition = resolveEdition(dir, name, named);
      await removeEdition(dir, name, edition);
      if (isPlain) await terminal.print(`removed edition ${shortenEdition(edition)} of ${name}`);
      else await terminal.printJson({ source_name: name, removed: [edition] });
      return EXIT.done;
    }
    const editions = listStoredEditions(dir, name).length;
    if (editions > 0 && !keepEditions && !args.flag("yes")) {
      throw new UsageError(
        `this would delete ${name} with ${formatCount(editions, "edition")} for good; pass --yes to delete, or --keep-editions to keep the files for replays`,
      );
    }
    const { removed, groups } = await removeSource(dir, name, { keepEditions, leaveGroups });
    if (isPlain) await terminal.print(`removed ${name} and ${formatCount(removed.length, "edition")} of it`);
    else await terminal.printJson({ source_name: name, removed, groups });
    noteAffectedGroups(name, groups, leaveGroups, terminal);
    return EXIT.done;
  },
};

async function removeFictionalSources(dir: string, args: Arguments, terminal: Terminal): Promise<ExitCode> {
  if (args.operands.length > 0 || args.flag("leave-groups")) {
    throw new UsageError(
      "--fictional removes all fictional sources, also from their groups: expected no NAME",
    );
  }
  const keepEditions = args.flag("keep-editions");
  for (const { manifest } of readCatalog(dir).sources) {
    if (manifest.fictional !== true) continue;
    const { source_name } = manifest;
    const { removed, groups } = await removeSource(dir, source_name, { keepEditions, leaveGroups: true });
    if (terminal.human && !args.flag("json")) await terminal.print(`removed ${source_name}`);
    else await terminal.printJson({ source_name, removed, groups });
    noteAffectedGroups(source_name, groups, true, terminal);
  }
  return EXIT.done;
}

export const sourcesDisconnectCommand: Command = {
  summary: "Take a live source out of the data folder",
  operands: "NAME",
  options: [defineOption("leave-groups", "also take it out of its groups, which then no longer query it")],
  details: [
    "A group keeps a source that is disconnected: the source fails there, and verdicts that use the group are DEGRADED, until the source is connected again or sources group defines the group again.",
    "Records of verdicts that used the source can still be replayed: they contain the areas that it returned.",
  ],
  async run(args, terminal) {
    const [name] = args.operands;
    const leaveGroups = args.flag("leave-groups");
    const groups = await disconnectLiveSource(getDataFolder(args), name!, { leaveGroups });
    if (groups === undefined) throw new InputFileError(`the data folder has no live source "${name}"`);
    await terminal.print(`disconnected ${name}`);
    noteAffectedGroups(name!, groups, leaveGroups, terminal);
    return EXIT.done;
  },
};

export const sourcesGroupCommand: Command = {
  summary: "Define a group of sources; a query of the group queries every member",
  examples: ["preset:indigenous_lands br:funai my:claimed_lands"],
  operands: "NAME [MEMBER]…",
  operandCount: [1, 1 + 1024],
  options: [defineOption("remove", "remove the group instead")],
  details: [
    "The group gets exactly these members: a source that is not named here stays outside, even if its own manifest names the group. Members that leave are reported. Until this command defines it, a group has every source whose manifest names it, and keeps sources that are removed or leave it; these fail, and verdicts that use the group are DEGRADED.",
    "Either all members are fictional or none is; borders may be in both kinds of group.",
  ],
  async run(args, terminal) {
    const [name, ...members] = args.operands;
    if (args.flag("remove") !== (members.length === 0)) {
      throw new UsageError(members.length === 0 ? "MEMBER is missing" : "--remove takes no members");
    }
    const change = await setGroup(getDataFolder(args), name!, members);
    if (args.flag("json") || !terminal.human) await terminal.printJson({ group: name, ...change });
    else if (change.members.length === 0) await terminal.print(`removed ${name}`);
    else await terminal.print(`${name} has ${change.members.join(", ")}`);
    for (const member of change.left) {
      terminal.note(`${member} left ${name}: rulesets that name the group no longer query it`);
    }
    return EXIT.done;
  },
};
