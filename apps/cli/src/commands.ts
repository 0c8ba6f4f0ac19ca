import type { Command } from "./command.ts";

/** A command by the words that call it; its code is loaded when it is asked for. */
export interface ListedCommand {
  /** The words that call it, e.g. `snapshot build`. */
  readonly path: string;
  readonly load: () => Promise<Command>;
}

/**
 * Every command, in the order of the overview. Each is loaded by itself: a start then costs what its command uses,
 * not what all of them use.
 */
export const COMMANDS: readonly ListedCommand[] = [
  listed("snapshot build", async () => (await import("./commands/snapshot-build.ts")).snapshotBuildCommand),
  listed(
    "snapshot inspect",
    async () => (await import("./commands/snapshot-inspect.ts")).snapshotInspectCommand,
  ),
  listed(
    "snapshot verify",
    async () => (await import("./commands/snapshot-verify.ts")).snapshotVerifyCommand,
  ),
  listed("sources list", async () => (await import("./commands/sources-list.ts")).sourcesListCommand),
  listed(
    "sources editions",
    async () => (await import("./commands/sources-editions.ts")).sourcesEditionsCommand,
  ),
  listed("sources diff", async () => (await import("./commands/sources-diff.ts")).sourcesDiffCommand),
  listed("sources use", async () => (await import("./commands/sources-use.ts")).sourcesUseCommand),
  listed("sources release", async () => (await import("./commands/sources-use.ts")).sourcesReleaseCommand),
  listed("sources remove", async () => (await import("./commands/sources-remove.ts")).sourcesRemoveCommand),
  listed("sources prune", async () => (await import("./commands/sources-prune.ts")).sourcesPruneCommand),
  listed("sources verify", async () => (await import("./commands/sources-verify.ts")).sourcesVerifyCommand),
  listed(
    "sources connect",
    async () => (await import("./commands/sources-connect.ts")).sourcesConnectCommand,
  ),
  listed(
    "sources disconnect",
    async () => (await import("./commands/sources-disconnect.ts")).sourcesDisconnectCommand,
  ),
  listed("sources group", async () => (await import("./commands/sources-group.ts")).sourcesGroupCommand),
  listed("sources sync", async () => (await import("./commands/sources-sync.ts")).sourcesSyncCommand),
  listed("intersections", async () => (await import("./commands/intersections.ts")).intersectionsCommand),
  listed("distance", async () => (await import("./commands/distance.ts")).distanceCommand),
  listed("subjects", async () => (await import("./commands/subjects.ts")).subjectsCommand),
  listed("evaluate", async () => (await import("./commands/evaluate.ts")).evaluateCommand),
  listed("screen", async () => (await import("./commands/screen.ts")).screenCommand),
  listed("bundle", async () => (await import("./commands/bundle.ts")).bundleCommand),
  listed("merge", async () => (await import("./commands/merge.ts")).mergeCommand),
  listed("plots check", async () => (await import("./commands/plots-check.ts")).plotsCheckCommand),
  listed("plots fix", async () => (await import("./commands/plots-fix.ts")).plotsFixCommand),
  listed("plots export", async () => (await import("./commands/plots-export.ts")).plotsExportCommand),
  listed("lint", async () => (await import("./commands/lint.ts")).lintCommand),
  listed("test", async () => (await import("./commands/test.ts")).testCommand),
  listed("explain", async () => (await import("./commands/explain.ts")).explainCommand),
  listed(
    "rulesets format",
    async () => (await import("./commands/rulesets-format.ts")).rulesetsFormatCommand,
  ),
  listed("replay", async () => (await import("./commands/replay.ts")).replayCommand),
  listed("report", async () => (await import("./commands/report.ts")).reportCommand),
  listed("backtest", async () => (await import("./commands/backtest.ts")).backtestCommand),
  listed("serve", async () => (await import("./commands/serve.ts")).serveCommand),
  listed("config print", async () => (await import("./commands/config-print.ts")).configPrintCommand),
  listed("org create", async () => (await import("./commands/org-create.ts")).orgCreateCommand),
  listed("org list", async () => (await import("./commands/org-list.ts")).orgListCommand),
  listed("key create", async () => (await import("./commands/key-create.ts")).keyCreateCommand),
  listed("key list", async () => (await import("./commands/key-list.ts")).keyListCommand),
  listed("key rotate", async () => (await import("./commands/key-rotate.ts")).keyRotateCommand),
  listed("key revoke", async () => (await import("./commands/key-revoke.ts")).keyRevokeCommand),
  listed(
    "subscription suspend",
    async () => (await import("./commands/subscription.ts")).subscriptionSuspendCommand,
  ),
  listed(
    "subscription resume",
    async () => (await import("./commands/subscription.ts")).subscriptionResumeCommand,
  ),
  listed(
    "subscription expire",
    async () => (await import("./commands/subscription.ts")).subscriptionExpireCommand,
  ),
  listed("quota set", async () => (await import("./commands/quota-set.ts")).quotaSetCommand),
  listed("usage", async () => (await import("./commands/usage.ts")).usageCommand),
  listed(
    "decisions erase",
    async () => (await import("./commands/decisions-erase.ts")).decisionsEraseCommand,
  ),
  listed("backup", async () => (await import("./commands/backup.ts")).backupCommand),
  listed("restore", async () => (await import("./commands/backup.ts")).restoreCommand),
  listed("doctor", async () => (await import("./commands/doctor.ts")).doctorCommand),
  listed("ledger release", async () => (await import("./commands/ledger-release.ts")).ledgerReleaseCommand),
  listed("demo", async () => (await import("./commands/demo.ts")).demoCommand),
];

function listed(path: string, load: ListedCommand["load"]): ListedCommand {
  return { path, load };
}
