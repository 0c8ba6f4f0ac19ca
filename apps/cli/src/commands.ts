import { type Command, completeCommand, type NamedCommand } from "./command-line/command.ts";

/** A command with the words that call it; its code is loaded on demand. */
export interface ListedCommand {
  /** The words that call it, e.g. `snapshot build`. */
  readonly path: string;
  readonly load: () => Promise<NamedCommand>;
}

/**
 * Every command, in the order of the overview. Each is loaded separately, so that a start costs only what its command
 * uses.
 */
export const COMMANDS: readonly ListedCommand[] = [
  createListedCommand("snapshot build", () => import("./commands/snapshots/snapshot-build.ts")),
  createListedCommand("snapshot inspect", () => import("./commands/snapshots/snapshot-inspect.ts")),
  createListedCommand("snapshot verify", () => import("./commands/snapshots/snapshot-verify.ts")),
  createListedCommand("sources list", () => import("./commands/sources/sources-list.ts")),
  createListedCommand("sources editions", () => import("./commands/sources/stored-sources.ts")),
  createListedCommand("sources diff", () => import("./commands/sources/sources-diff.ts")),
  createListedCommand("sources use", () => import("./commands/sources/stored-sources.ts")),
  createListedCommand("sources release", () => import("./commands/sources/stored-sources.ts")),
  createListedCommand("sources remove", () => import("./commands/sources/stored-sources.ts")),
  createListedCommand("sources prune", () => import("./commands/sources/sources-prune.ts")),
  createListedCommand("sources verify", () => import("./commands/sources/stored-sources.ts")),
  createListedCommand("sources recover", () => import("./commands/sources/sources-recover.ts")),
  createListedCommand("sources connect", () => import("./commands/sources/sources-connect.ts")),
  createListedCommand("sources disconnect", () => import("./commands/sources/stored-sources.ts")),
  createListedCommand("sources group", () => import("./commands/sources/stored-sources.ts")),
  createListedCommand("sources sync", () => import("./commands/sources/sources-sync.ts")),
  createListedCommand("intersections", () => import("./commands/questions/intersections.ts")),
  createListedCommand("distance", () => import("./commands/questions/distance.ts")),
  createListedCommand("subjects", () => import("./commands/questions/subjects.ts")),
  createListedCommand("evaluate", () => import("./commands/questions/evaluate.ts")),
  createListedCommand("screen", () => import("./commands/screening/screen.ts")),
  createListedCommand("stdio", () => import("./commands/stdio/stdio.ts")),
  createListedCommand("bundle", () => import("./commands/screening/bundle.ts")),
  createListedCommand("merge", () => import("./commands/screening/merge.ts")),
  createListedCommand("plots check", () => import("./commands/plots/plots-check.ts")),
  createListedCommand("plots fix", () => import("./commands/plots/plots-fix.ts")),
  createListedCommand("plots export", () => import("./commands/plots/plots-export.ts")),
  createListedCommand("lint", () => import("./commands/rulesets/lint.ts")),
  createListedCommand("test", () => import("./commands/rulesets/test.ts")),
  createListedCommand("explain", () => import("./commands/rulesets/explain.ts")),
  createListedCommand("rulesets list", () => import("./commands/rulesets/rulesets-list.ts")),
  createListedCommand("rulesets format", () => import("./commands/rulesets/rulesets-format.ts")),
  createListedCommand("replay", () => import("./commands/records/replay.ts")),
  createListedCommand("report", () => import("./commands/records/report.ts")),
  createListedCommand("backtest", () => import("./commands/rulesets/backtest.ts")),
  createListedCommand("serve", () => import("./commands/service/serve.ts")),
  createListedCommand("config print", () => import("./commands/service/config-print.ts")),
  createListedCommand("org create", () => import("./commands/accounts/organizations.ts")),
  createListedCommand("org list", () => import("./commands/accounts/organizations.ts")),
  createListedCommand("key create", () => import("./commands/accounts/keys.ts")),
  createListedCommand("key list", () => import("./commands/accounts/keys.ts")),
  createListedCommand("key rotate", () => import("./commands/accounts/keys.ts")),
  createListedCommand("key revoke", () => import("./commands/accounts/keys.ts")),
  createListedCommand("subscription suspend", () => import("./commands/accounts/organizations.ts")),
  createListedCommand("subscription resume", () => import("./commands/accounts/organizations.ts")),
  createListedCommand("subscription expire", () => import("./commands/accounts/organizations.ts")),
  createListedCommand("quota set", () => import("./commands/accounts/organizations.ts")),
  createListedCommand("usage", () => import("./commands/accounts/organizations.ts")),
  createListedCommand("decisions erase", () => import("./commands/accounts/organizations.ts")),
  createListedCommand("backup", () => import("./commands/service/backup.ts")),
  createListedCommand("restore", () => import("./commands/service/backup.ts")),
  createListedCommand("doctor", () => import("./commands/service/doctor.ts")),
  createListedCommand("ledger release", () => import("./commands/accounts/organizations.ts")),
  createListedCommand("demo", () => import("./commands/service/demo.ts")),
];

/** The export name of a command's module: `snapshotBuildCommand` for `snapshot build`. */
type ExportName<Path extends string> = Path extends `${infer First} ${infer Second}`
  ? `${First}${Capitalize<Second>}Command`
  : `${Path}Command`;

function createListedCommand<Path extends string>(
  path: Path,
  load: () => Promise<Readonly<Record<ExportName<Path>, Command>>>,
): ListedCommand {
  const name =
    `${path.replace(/ (.)/, (_, letter: string) => letter.toUpperCase())}Command` as ExportName<Path>;
  return { path, load: async () => completeCommand(path, (await load())[name]) };
}
