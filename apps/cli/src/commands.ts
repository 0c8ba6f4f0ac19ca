import { type Command, type NamedCommand, named } from "./command-line/command.ts";

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
  listed("snapshot build", () => import("./commands/snapshots/snapshot-build.ts")),
  listed("snapshot inspect", () => import("./commands/snapshots/snapshot-inspect.ts")),
  listed("snapshot verify", () => import("./commands/snapshots/snapshot-verify.ts")),
  listed("sources list", () => import("./commands/sources/sources-list.ts")),
  listed("sources editions", () => import("./commands/sources/stored-sources.ts")),
  listed("sources diff", () => import("./commands/sources/sources-diff.ts")),
  listed("sources use", () => import("./commands/sources/stored-sources.ts")),
  listed("sources release", () => import("./commands/sources/stored-sources.ts")),
  listed("sources remove", () => import("./commands/sources/stored-sources.ts")),
  listed("sources prune", () => import("./commands/sources/sources-prune.ts")),
  listed("sources verify", () => import("./commands/sources/stored-sources.ts")),
  listed("sources recover", () => import("./commands/sources/sources-recover.ts")),
  listed("sources connect", () => import("./commands/sources/sources-connect.ts")),
  listed("sources disconnect", () => import("./commands/sources/stored-sources.ts")),
  listed("sources group", () => import("./commands/sources/stored-sources.ts")),
  listed("sources sync", () => import("./commands/sources/sources-sync.ts")),
  listed("intersections", () => import("./commands/questions/intersections.ts")),
  listed("distance", () => import("./commands/questions/distance.ts")),
  listed("subjects", () => import("./commands/questions/subjects.ts")),
  listed("evaluate", () => import("./commands/questions/evaluate.ts")),
  listed("screen", () => import("./commands/screening/screen.ts")),
  listed("bundle", () => import("./commands/screening/bundle.ts")),
  listed("merge", () => import("./commands/screening/merge.ts")),
  listed("plots check", () => import("./commands/plots/plots-check.ts")),
  listed("plots fix", () => import("./commands/plots/plots-fix.ts")),
  listed("plots export", () => import("./commands/plots/plots-export.ts")),
  listed("lint", () => import("./commands/rulesets/lint.ts")),
  listed("test", () => import("./commands/rulesets/test.ts")),
  listed("explain", () => import("./commands/rulesets/explain.ts")),
  listed("rulesets list", () => import("./commands/rulesets/rulesets-list.ts")),
  listed("rulesets format", () => import("./commands/rulesets/rulesets-format.ts")),
  listed("replay", () => import("./commands/records/replay.ts")),
  listed("report", () => import("./commands/records/report.ts")),
  listed("backtest", () => import("./commands/rulesets/backtest.ts")),
  listed("serve", () => import("./commands/service/serve.ts")),
  listed("config print", () => import("./commands/service/config-print.ts")),
  listed("org create", () => import("./commands/accounts/organizations.ts")),
  listed("org list", () => import("./commands/accounts/organizations.ts")),
  listed("key create", () => import("./commands/accounts/keys.ts")),
  listed("key list", () => import("./commands/accounts/keys.ts")),
  listed("key rotate", () => import("./commands/accounts/keys.ts")),
  listed("key revoke", () => import("./commands/accounts/keys.ts")),
  listed("subscription suspend", () => import("./commands/accounts/organizations.ts")),
  listed("subscription resume", () => import("./commands/accounts/organizations.ts")),
  listed("subscription expire", () => import("./commands/accounts/organizations.ts")),
  listed("quota set", () => import("./commands/accounts/organizations.ts")),
  listed("usage", () => import("./commands/accounts/organizations.ts")),
  listed("decisions erase", () => import("./commands/accounts/organizations.ts")),
  listed("backup", () => import("./commands/service/backup.ts")),
  listed("restore", () => import("./commands/service/backup.ts")),
  listed("doctor", () => import("./commands/service/doctor.ts")),
  listed("ledger release", () => import("./commands/accounts/organizations.ts")),
  listed("demo", () => import("./commands/service/demo.ts")),
];

/** The export name of a command's module: `snapshotBuildCommand` for `snapshot build`. */
type ExportName<Path extends string> = Path extends `${infer First} ${infer Second}`
  ? `${First}${Capitalize<Second>}Command`
  : `${Path}Command`;

function listed<Path extends string>(
  path: Path,
  load: () => Promise<Readonly<Record<ExportName<Path>, Command>>>,
): ListedCommand {
  const name =
    `${path.replace(/ (.)/, (_, letter: string) => letter.toUpperCase())}Command` as ExportName<Path>;
  return { path, load: async () => named(path, (await load())[name]) };
}
