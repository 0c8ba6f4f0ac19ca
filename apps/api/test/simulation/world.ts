import type { Scheduler } from "fast-check";
import {
  type ChargeOutcome,
  type ChargeRequest,
  type Charging,
  createCharging,
  type Execution,
} from "../../src/charging/charging.ts";
import type { Settlement, SettleOutcome } from "../../src/ledger/arbitrate.ts";
import type { Scope } from "../../src/ledger/scope.ts";
import { assembleStore } from "../../src/store/driver/assemble-store.ts";
import { MIGRATIONS } from "../../src/store/migrations/all.ts";
import { migrateSchema } from "../../src/store/migrations/migrate.ts";
import { READS } from "../../src/store/operations/all.ts";
import { fromPlainError, type WriteCall } from "../../src/store/port/calls.ts";
import type { Store, StoreReads, StoreWrites } from "../../src/store/port/port.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { runWriteGroup } from "../../src/store/sqlite/writer.ts";
import { VirtualClock } from "../virtual-clock.ts";

/** Kept short, so that answers expire within a run. */
export const RETENTION_MS = 10_000;
export const ACKNOWLEDGEMENT_MS = 2_000;

/** Outcome of an incomplete execution in the simulation. */
export type Degraded = "degraded";
export type Execute = () => Promise<Execution<Degraded>>;
export type Outcome = ChargeOutcome<Degraded>;
export type Protocol = (request: ChargeRequest, execute: Execute) => Promise<Outcome>;

/** One process over one database in memory, as a variant of the protocol sees it. */
export interface World {
  /** Every call is two points at which anything else may happen, the end of the process included. */
  readonly store: Store;
  readonly clock: VirtualClock;
  /** A point at which anything else may happen. */
  readonly step: (label: string) => Promise<void>;
  /** SQL past the store, at once. */
  readonly meddle: (text: string, ...values: (string | number | null)[]) => Record<string, unknown>[];
  readonly charging: (store?: Store) => Charging;
}

/** A database in memory that serves many runs, each with an organization of its own. */
export class MemoryDatabase {
  readonly connection = new Connection(":memory:");
  readonly clock = new VirtualClock("2026-01-31T00:00:00Z");
  decisions = 0;
  organizations = 0;

  constructor() {
    this.connection.run(migrateSchema("sqlite", MIGRATIONS), 0);
  }

  read<Name extends keyof StoreReads>(
    name: Name,
    input: Parameters<StoreReads[Name]>[0],
  ): Awaited<ReturnType<StoreReads[Name]>> {
    const operation = READS[name] as (input: unknown) => ReturnType<(typeof READS)[Name]>;
    return this.connection.run(operation(input), this.clock.ms) as Awaited<ReturnType<StoreReads[Name]>>;
  }

  write<Name extends keyof StoreWrites>(
    name: Name,
    input: Parameters<StoreWrites[Name]>[0],
  ): Awaited<ReturnType<StoreWrites[Name]>> {
    const [result] = runWriteGroup(this.connection, [{ name, input } as WriteCall], this.clock.ms);
    if (result === undefined || "failed" in result) throw fromPlainError(result!.failed);
    return result.value as Awaited<ReturnType<StoreWrites[Name]>>;
  }

  newScope(quota: number): Scope {
    const id = `org-${++this.organizations}`;
    this.write("createOrganization", { id, name: id, quota: { live: quota, test: quota } });
    return { organization: id, mode: "live" };
  }
}

/** A process that can die: from then on nothing it began goes on. */
export class Process {
  readonly #database: MemoryDatabase;
  readonly #scheduler: Scheduler;
  readonly #sleepers: { atMs: number; wake: () => void }[] = [];
  #life: Promise<void> = Promise.resolve();

  constructor(database: MemoryDatabase, scheduler: Scheduler) {
    this.#database = database;
    this.#scheduler = scheduler;
  }

  kill(): void {
    this.#life = NEVER;
  }

  /** Lets sleepers go on whose time has come. */
  wake(): void {
    for (const sleeper of this.#sleepers) if (sleeper.atMs <= this.#database.clock.ms) sleeper.wake();
  }

  step = async (label: string): Promise<void> => {
    await this.#life;
    await this.#scheduler.schedule(Promise.resolve(), label);
    await this.#life;
  };

  world(): World {
    const { step } = this;
    const { clock, connection } = this.#database;
    const store = this.#store();
    return {
      store,
      clock,
      step,
      meddle: (text, ...values) => connection.all({ text, values }) as Record<string, unknown>[],
      charging: (over = store) =>
        createCharging(
          { store: over, mintDecisionId: () => `dec-${++this.#database.decisions}`, sleep: this.#sleep },
          { retentionMs: RETENTION_MS, acknowledgementMs: ACKNOWLEDGEMENT_MS },
        ),
    };
  }

  readonly #sleep = (milliseconds: number): Promise<void> =>
    new Promise((wake) => this.#sleepers.push({ atMs: this.#database.clock.ms + milliseconds, wake }));

  #store(): Store {
    const { step } = this;
    const database = this.#database;
    let waiting: {
      settlement: Settlement;
      resolve: (outcome: SettleOutcome) => void;
      reject: (e: unknown) => void;
    }[] = [];
    /** Requests that gather until the commit are settled together, as in a real store. */
    const commit = async (): Promise<void> => {
      await step("commit");
      const group = waiting;
      waiting = [];
      try {
        const outcomes = database.write(
          "settleBatch",
          group.map(({ settlement }) => settlement),
        );
        group.forEach(({ resolve }, i) => {
          resolve(outcomes[i]!);
        });
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    };
    return assembleStore({
      kind: "sqlite",
      read: async (operation) => {
        await step("read");
        const result = database.connection.run(operation(), database.clock.ms);
        await step("read done");
        return result;
      },
      write: async (call) => {
        await step(call.name);
        const result = database.write(call.name, call.input as never);
        await step(`${call.name} done`);
        return result;
      },
      settle: async (settlement) => {
        await step("settle");
        const outcome = await new Promise<SettleOutcome>((resolve, reject) => {
          waiting.push({ settlement, resolve, reject });
          if (waiting.length === 1) void commit();
        });
        await step("settle done");
        return outcome;
      },
      backup: async () => {},
      trouble: async () => undefined,
      close: async () => {},
    });
  }
}

const NEVER = new Promise<never>(() => {});
