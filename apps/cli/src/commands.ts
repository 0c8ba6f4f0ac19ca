import type { Command } from "./command.ts";
import { backtestCommand } from "./commands/backtest.ts";
import { backupCommand, restoreCommand } from "./commands/backup.ts";
import { decisionsEraseCommand } from "./commands/decisions-erase.ts";
import { demoCommand } from "./commands/demo.ts";
import { distanceCommand } from "./commands/distance.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { evaluateCommand } from "./commands/evaluate.ts";
import { explainCommand } from "./commands/explain.ts";
import { intersectionsCommand } from "./commands/intersections.ts";
import { keyCreateCommand } from "./commands/key-create.ts";
import { keyListCommand } from "./commands/key-list.ts";
import { keyRevokeCommand } from "./commands/key-revoke.ts";
import { keyRotateCommand } from "./commands/key-rotate.ts";
import { ledgerReleaseCommand } from "./commands/ledger-release.ts";
import { lintCommand } from "./commands/lint.ts";
import { orgCreateCommand } from "./commands/org-create.ts";
import { quotaSetCommand } from "./commands/quota-set.ts";
import { replayCommand } from "./commands/replay.ts";
import { reportCommand } from "./commands/report.ts";
import { rulesetsFormatCommand } from "./commands/rulesets-format.ts";
import { screenCommand } from "./commands/screen.ts";
import { serveCommand } from "./commands/serve.ts";
import { snapshotBuildCommand } from "./commands/snapshot-build.ts";
import { snapshotInspectCommand } from "./commands/snapshot-inspect.ts";
import { snapshotVerifyCommand } from "./commands/snapshot-verify.ts";
import { sourcesGroupCommand } from "./commands/sources-group.ts";
import { sourcesListCommand } from "./commands/sources-list.ts";
import { subjectsCommand } from "./commands/subjects.ts";
import { subscriptionCommands } from "./commands/subscription.ts";
import { testCommand } from "./commands/test.ts";
import { usageCommand } from "./commands/usage.ts";

/** Every command, in the order of the overview. */
export const COMMANDS: readonly Command[] = [
  snapshotBuildCommand,
  snapshotInspectCommand,
  snapshotVerifyCommand,
  sourcesListCommand,
  sourcesGroupCommand,
  intersectionsCommand,
  distanceCommand,
  subjectsCommand,
  evaluateCommand,
  screenCommand,
  lintCommand,
  testCommand,
  explainCommand,
  rulesetsFormatCommand,
  replayCommand,
  reportCommand,
  backtestCommand,
  serveCommand,
  orgCreateCommand,
  keyCreateCommand,
  keyListCommand,
  keyRotateCommand,
  keyRevokeCommand,
  ...subscriptionCommands,
  quotaSetCommand,
  usageCommand,
  decisionsEraseCommand,
  backupCommand,
  restoreCommand,
  doctorCommand,
  ledgerReleaseCommand,
  demoCommand,
];
