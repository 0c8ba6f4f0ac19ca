import type { Command } from "./command.ts";
import { backtestCommand } from "./commands/backtest.ts";
import { demoCommand } from "./commands/demo.ts";
import { distanceCommand } from "./commands/distance.ts";
import { evaluateCommand } from "./commands/evaluate.ts";
import { explainCommand } from "./commands/explain.ts";
import { intersectionsCommand } from "./commands/intersections.ts";
import { lintCommand } from "./commands/lint.ts";
import { replayCommand } from "./commands/replay.ts";
import { reportCommand } from "./commands/report.ts";
import { screenCommand } from "./commands/screen.ts";
import { serveCommand } from "./commands/serve.ts";
import { snapshotBuildCommand } from "./commands/snapshot-build.ts";
import { snapshotInspectCommand } from "./commands/snapshot-inspect.ts";
import { snapshotVerifyCommand } from "./commands/snapshot-verify.ts";
import { sourcesGroupCommand } from "./commands/sources-group.ts";
import { sourcesListCommand } from "./commands/sources-list.ts";
import { subjectsCommand } from "./commands/subjects.ts";

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
  explainCommand,
  replayCommand,
  reportCommand,
  backtestCommand,
  serveCommand,
  demoCommand,
];
