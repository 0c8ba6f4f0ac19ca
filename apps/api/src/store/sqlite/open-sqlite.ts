import { existsSync } from "node:fs";
import type { SettleOutcome } from "../../charging/arbitrate.ts";
import { GuardedClock } from "../../charging/guarded-clock.ts";
import { assembleStore } from "../assemble-store.ts";
import { type Clock, systemClock } from "../clock.ts";
import { GroupCommit } from "../group-commit.ts";
import { migrate } from "../migrate.ts";
import { MIGRATIONS } from "../migrations/all.ts";
import type { Store } from "../port.ts";
import { StoreError } from "../store-error.ts";
import { errorOf, type WriteCall } from "../write-call.ts";
import { Connection } from "./connection.ts";
import { examineInThread } from "./examine-in-thread.ts";
import { type GroupWriter, writerInProcess, writerInThread } from "./group-writer.ts";
import { Reader } from "./reader.ts";
import { takeServingLock } from "./serving-lock.ts";
import type { WriterStep } from "./writer.ts";

export interface SqliteOptions {
  /**
   * `serve`: the one serving process, with a thread that writes; `manage`: a command beside it.
   * Default `manage`.
   */
  readonly role?: "serve" | "manage";
  /** Default the system's, for a serving process guarded against jumps. */
  readonly clock?: Clock;
  /**
   * The disk failed during a commit: whether its charges stand shows only when the file is opened
   * anew. The process should end at once. Default: it does, with exit code 70.
   */
  readonly onLost?: (error: StoreError) => void;
  /** Hears each step of a write, which then happens in this thread. */
  readonly onStep?: (step: WriterStep) => void;
}

/**
 * Opens the state file at a path, made where there is none, its schema brought up to date.
 *
 * Fails: `STORAGE_UNAVAILABLE`, `SCHEMA_TOO_NEW`, `STORE_IN_USE` (two that serve).
 */
export async function openSqlite(path: string, options: SqliteOptions = {}): Promise<Store> {
  const { role = "manage", onStep } = options;
  const clock = options.clock ?? (role === "serve" ? new GuardedClock() : systemClock);
  const release = role === "serve" ? takeServingLock(path) : () => {};
  try {
    const connection = new Connection(path);
    prepare(connection, path, onStep);
    if (role === "manage" || onStep !== undefined) {
      // A database in memory has one connection; elsewhere readers are separate and see whole commits.
      const reader = path === ":memory:" ? new Reader(connection, { sharesTurns: false }) : readerOf(path);
      return storeOf(reader, writerInProcess(connection, onStep), clock, options.onLost, release);
    }
    connection.close();
    const writer = await writerInThread(path);
    const store = storeOf(readerOf(path), writer, clock, options.onLost, release);
    return {
      ...store,
      findViolations: (question) => examineInThread({ path, question, nowMs: clock.now() }),
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Checks every page and migrates. */
function prepare(connection: Connection, path: string, onStep: SqliteOptions["onStep"] = () => {}): void {
  try {
    const damage = connection.findDamage();
    if (damage !== undefined) {
      throw new StoreError("STORAGE_UNAVAILABLE", `${path} is damaged: ${damage}; restore a backup`, {
        path,
      });
    }
    connection.exec("BEGIN IMMEDIATE");
    onStep("migrate");
    connection.run(migrate("sqlite", MIGRATIONS), 0);
    onStep("migrated");
    connection.exec("COMMIT");
  } catch (error) {
    connection.close();
    throw error;
  }
}

function storeOf(
  reader: Reader,
  writer: GroupWriter,
  clock: Clock,
  onLost: (error: StoreError) => void = endProcess,
  release: () => void,
): Store {
  let lost: StoreError | undefined;
  const commits = new GroupCommit<WriteCall, unknown>(async (calls) => {
    if (lost !== undefined) throw lost;
    try {
      const results = await writer.write(calls, clock.now());
      // Whoever hears of a write sees it.
      reader.refresh();
      return results.map((result) => ({ resolve, reject }) => {
        if ("failed" in result) reject(errorOf(result.failed));
        else resolve(result.value);
      });
    } catch (error) {
      if (error instanceof StoreError && error.code === "STORAGE_UNAVAILABLE") throw error;
      lost =
        error instanceof StoreError ? error : new StoreError("OUTCOME_UNKNOWN", String(error), {}, error);
      onLost(lost);
      throw lost;
    }
  });
  return assembleStore({
    kind: "sqlite",
    read: async (operation, view) =>
      view === "latest" ? reader.latest(operation(), clock.now()) : reader.snapshot(operation(), clock.now()),
    write: (call) => commits.add(call),
    settle: async (settlement) => {
      const outcomes = await commits.add({ name: "settleBatch", input: [settlement] });
      return (outcomes as readonly SettleOutcome[])[0]!;
    },
    backup: async (path) => {
      if (existsSync(path)) {
        throw new StoreError("STORE_NOT_EMPTY", `there is a file at ${path} already; name another`, { path });
      }
      reader.copyTo(path);
    },
    trouble: async () => lost?.message ?? clock.trouble?.(),
    close: async () => {
      await writer.close();
      reader.close();
      release();
    },
  });
}

function readerOf(path: string): Reader {
  return new Reader(new Connection(path, { readOnly: true }), { sharesTurns: true });
}

function endProcess(error: StoreError): void {
  console.error(error);
  process.exit(70);
}
