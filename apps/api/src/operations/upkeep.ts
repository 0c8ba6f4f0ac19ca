import { reconcile } from "../charging/reconcile.ts";
import type { Store, Violation } from "../store/port.ts";

/** How often sums are checked against charges. */
const CHECK_MS = 60_000;
/** How often what nobody can ask for any more is forgotten. */
const SWEEP_MS = 3_600_000;

export interface Upkeep {
  /** What the last check found broken; its ledgers are frozen. */
  violations(): readonly Violation[];
  stop(): void;
}

/**
 * Looks after the state while it is served. A ledger with a broken invariant stops charging, and that
 * one alone; reads and replays go on.
 */
export function startUpkeep(
  store: Pick<Store, "findViolations" | "freeze" | "sweep">,
  report: (error: unknown) => void,
): Upkeep {
  let violations: readonly Violation[] = [];
  const check = async (): Promise<void> => {
    violations = await reconcile(store, "open");
    for (const { organization, mode, invariant, message } of violations) {
      report(new Error(`charging is frozen for ${organization} ${mode}: ${invariant}: ${message}`));
    }
  };
  const timers = [every(CHECK_MS, check, report), every(SWEEP_MS, () => store.sweep({}), report)];
  return {
    violations: () => violations,
    stop: () => {
      for (const timer of timers) clearInterval(timer);
    },
  };
}

function every(
  milliseconds: number,
  work: () => Promise<unknown>,
  report: (error: unknown) => void,
): NodeJS.Timeout {
  const timer = setInterval(() => void work().catch(report), milliseconds);
  timer.unref();
  return timer;
}
