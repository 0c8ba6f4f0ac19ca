import type { Command } from "./command-line/command.ts";

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
  listed(
    "snapshot build",
    async () => (await import("./commands/snapshots/snapshot-build.ts")).snapshotBuildCommand,
  ),
  listed(
    "snapshot inspect",
    async () => (await import("./commands/snapshots/snapshot-inspect.ts")).snapshotInspectCommand,
  ),
  listed(
    "snapshot verify",
    async () => (await import("./commands/snapshots/snapshot-verify.ts")).snapshotVerifyCommand,
  ),
  listed("sources list", async () => (await import("./commands/sources/sources-list.ts")).sourcesListCommand),
  listed(
    "sources editions",
    async () => (await import("./commands/sources/sources-editions.ts")).sourcesEditionsCommand,
  ),
  listed("sources diff", async () => (await import("./commands/sources/sources-diff.ts")).sourcesDiffCommand),
  listed("sources use", async () => (await import("./commands/sources/sources-use.ts")).sourcesUseCommand),
  listed(
    "sources release",
    async () => (await import("./commands/sources/sources-use.ts")).sourcesReleaseCommand,
  ),
  listed(
    "sources remove",
    async () => (await import("./commands/sources/sources-remove.ts")).sourcesRemoveCommand,
  ),
  listed(
    "sources prune",
    async () => (await import("./commands/sources/sources-prune.ts")).sourcesPruneCommand,
  ),
  listed(
    "sources verify",
    async () => (await import("./commands/sources/sources-verify.ts")).sourcesVerifyCommand,
  ),
  listed(
    "sources connect",
    async () => (await import("./commands/sources/sources-connect.ts")).sourcesConnectCommand,
  ),
  listed(
    "sources disconnect",
    async () => (await import("./commands/sources/sources-disconnect.ts")).sourcesDisconnectCommand,
  ),
  listed(
    "sources group",
    async () => (await import("./commands/sources/sources-group.ts")).sourcesGroupCommand,
  ),
  listed("sources sync", async () => (await import("./commands/sources/sources-sync.ts")).sourcesSyncCommand),
  listed(
    "intersections",
    async () => (await import("./commands/questions/intersections.ts")).intersectionsCommand,
  ),
  listed("distance", async () => (await import("./commands/questions/distance.ts")).distanceCommand),
  listed("subjects", async () => (await import("./commands/questions/subjects.ts")).subjectsCommand),
  listed("evaluate", async () => (await import("./commands/questions/evaluate.ts")).evaluateCommand),
  listed("screen", async () => (await import("./commands/questions/screen.ts")).screenCommand),
  listed("bundle", async () => (await import("./commands/questions/bundle.ts")).bundleCommand),
  listed("merge", async () => (await import("./commands/questions/merge.ts")).mergeCommand),
  listed("plots check", async () => (await import("./commands/plots/plots-check.ts")).plotsCheckCommand),
  listed("plots fix", async () => (await import("./commands/plots/plots-fix.ts")).plotsFixCommand),
  listed("plots export", async () => (await import("./commands/plots/plots-export.ts")).plotsExportCommand),
  listed("lint", async () => (await import("./commands/rulesets/lint.ts")).lintCommand),
  listed("test", async () => (await import("./commands/rulesets/test.ts")).testCommand),
  listed("explain", async () => (await import("./commands/rulesets/explain.ts")).explainCommand),
  listed(
    "rulesets format",
    async () => (await import("./commands/rulesets/rulesets-format.ts")).rulesetsFormatCommand,
  ),
  listed("replay", async () => (await import("./commands/questions/replay.ts")).replayCommand),
  listed("report", async () => (await import("./commands/questions/report.ts")).reportCommand),
  listed("backtest", async () => (await import("./commands/rulesets/backtest.ts")).backtestCommand),
  listed("serve", async () => (await import("./commands/service/serve.ts")).serveCommand),
  listed("config print", async () => (await import("./commands/service/config-print.ts")).configPrintCommand),
  listed("org create", async () => (await import("./commands/accounts/org-create.ts")).orgCreateCommand),
  listed("org list", async () => (await import("./commands/accounts/org-list.ts")).orgListCommand),
  listed("key create", async () => (await import("./commands/accounts/key-create.ts")).keyCreateCommand),
  listed("key list", async () => (await import("./commands/accounts/key-list.ts")).keyListCommand),
  listed("key rotate", async () => (await import("./commands/accounts/key-rotate.ts")).keyRotateCommand),
  listed("key revoke", async () => (await import("./commands/accounts/key-revoke.ts")).keyRevokeCommand),
  listed(
    "subscription suspend",
    async () => (await import("./commands/accounts/subscription.ts")).subscriptionSuspendCommand,
  ),
  listed(
    "subscription resume",
    async () => (await import("./commands/accounts/subscription.ts")).subscriptionResumeCommand,
  ),
  listed(
    "subscription expire",
    async () => (await import("./commands/accounts/subscription.ts")).subscriptionExpireCommand,
  ),
  listed("quota set", async () => (await import("./commands/accounts/quota-set.ts")).quotaSetCommand),
  listed("usage", async () => (await import("./commands/accounts/usage.ts")).usageCommand),
  listed(
    "decisions erase",
    async () => (await import("./commands/accounts/decisions-erase.ts")).decisionsEraseCommand,
  ),
  listed("backup", async () => (await import("./commands/service/backup.ts")).backupCommand),
  listed("restore", async () => (await import("./commands/service/backup.ts")).restoreCommand),
  listed("doctor", async () => (await import("./commands/service/doctor.ts")).doctorCommand),
  listed(
    "ledger release",
    async () => (await import("./commands/accounts/ledger-release.ts")).ledgerReleaseCommand,
  ),
  listed("demo", async () => (await import("./commands/service/demo.ts")).demoCommand),
];

function listed(path: string, load: ListedCommand["load"]): ListedCommand {
  return { path, load };
}
