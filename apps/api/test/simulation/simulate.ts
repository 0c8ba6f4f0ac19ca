import fc from "fast-check";
import { playScenario, scenarios } from "./run.ts";
import { MemoryDatabase, type Protocol, type World } from "./world.ts";

export interface SimulationOptions {
  readonly runs: number;
  readonly seed: number;
}

/** The protocol as it is built. */
export const asBuilt = (world: World): Protocol => {
  const charging = world.charging();
  return (request, execute) => charging.charge(request, execute);
};

/** Plays that many schedules; fails with the seed, the path and the smallest schedule that breaks. */
export async function simulateSchedules(
  variant: (world: World) => Protocol,
  { runs, seed }: SimulationOptions,
): Promise<void> {
  const database = new MemoryDatabase();
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), scenarios, (scheduler, scenario) =>
      playScenario(database, variant, scheduler, scenario),
    ),
    { numRuns: runs, seed },
  );
}

/** After how many schedules a variant breaks, and how; undefined where none of them breaks it. */
export async function findBreakingSchedule(
  variant: (world: World) => Protocol,
  { runs, seed }: SimulationOptions,
): Promise<{ readonly after: number; readonly symptom: string } | undefined> {
  const database = new MemoryDatabase();
  const result = await fc.check(
    fc.asyncProperty(fc.scheduler(), scenarios, (scheduler, scenario) =>
      playScenario(database, variant, scheduler, scenario),
    ),
    { numRuns: runs, seed, endOnFailure: true },
  );
  if (!result.failed) return undefined;
  return { after: result.numRuns, symptom: String(result.errorInstance) };
}
