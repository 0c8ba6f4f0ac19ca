import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import type { SettleOutcome } from "../../ledger/arbitrate.ts";
import type { Clock } from "../../ledger/clock.ts";
import type { Scope } from "../../ledger/scope.ts";
import { assembleStore } from "../driver/assemble-store.ts";
import { GroupCommit } from "../driver/group-commit.ts";
import { assertClockTrusted, createGuardedSystemClock, systemClock } from "../driver/system-clock.ts";
import { MIGRATIONS } from "../migrations/all.ts";
import { migrateSchema, readKnownSchema } from "../migrations/migrate.ts";
import { findStoreState } from "../operations/accounts/store-state.ts";
import { fromPlainError, type ReadCall, type WriteCall } from "../port/calls.ts";
import type { OpenOptions } from "../port/open-options.ts";
import type { Store, StoreReads, Violation } from "../port/port.ts";
import { rowDamagedError } from "../port/sound-rows.ts";
import { StoreError } from "../port/store-error.ts";
import { type Operation, queryFirstRow, sql } from "../sql/operation.ts";
import { Connection, toStorageError } from "./connection.ts";
import { OpenFiles } from "./open-files.ts";
import { readStateFile } from "./read-state.ts";
import { Reader } from "./reader.ts";
import { takeServingLock } from "./serving-lock.ts";
import { getStateFile, makeStateFile } from "./state-file.ts";
import { StorageHealth } from "./storage-health.ts";
import { createInProcessWriter, type GroupWriter, startThreadWriter } from "./threads/group-writer.ts";
import { ReadThreads, readInOwnThread } from "./threads/read-threads.ts";
import type { WriterStep } from "./writer.ts";

export interface SqliteOptions extends OpenOptions {
  /** Default: the system's clock, guarded against jumps. */
  readonly clock?: Clock;
  /**
   * Called when the disk failed during a commit: only opening the file anew shows if its charges are stored. The
   * process should end at once. Default: it does, with exit code 70.
   */
  readonly onLost?: (error: StoreError) => void;
  /** Called with each step of a write, which then runs in this thread. */
  readonly onStep?: (step: WriterStep) => void;
}

/**
 * Opens the state file at a path and migrates its schema, unless it is only read.
 *
 * Fails: `STORAGE_UNAVAILABLE`, `SCHEMA_TOO_NEW`, `STORE_MISSING`, `STORE_FILE_SHARED`, `STORE_IN_USE` (a second
 * serving process), `CLOCK_UNTRUSTED` (a command).
 *
 * @param path links are followed; `:memory:` stores nothing
 */
export async function openSqlite(path: string, options: SqliteOptions = {}): Promise<Store> {
  const { role = "manage", absent = "refuse", onStep } = options;
  if (path === ":memory:") return openInMemory(options);
  if (role === "read") {
    return storeForReading(getStateFile(path, { isShareable: true }), options.clock ?? systemClock);
  }
  const file = absent === "make" ? makeStateFile(path) : getStateFile(path);
  if (absent === "refuse")
    await readStateChecked(file, (reader) => reader.snapshot(assertSchemaUsable(file), 0));
  const served = { path: file, name: path };
  const release = role === "serve" ? takeServingLock(file) : () => {};
  try {
    const connection = new Connection(file);
    const clock = prepareConnection(connection, file, options);
    let writer: GroupWriter;
    if (role === "manage" || onStep !== undefined) {
      writer = createInProcessWriter(connection, role === "serve" ? served : undefined, onStep);
    } else {
      connection.close();
      writer = await startThreadWriter(served);
    }
    const reader = new Reader(new Connection(file, "read"), { sharesTurns: true });
    const files = role === "serve" ? new OpenFiles(file, path) : undefined;
    if (files?.identity !== writer.files) {
      throw new StoreError("STORAGE_UNAVAILABLE", `${file} was replaced while it was opened`, { path: file });
    }
    const health = new StorageHealth(files);
    const examine: StoreReads["findViolations"] = (input) =>
      readNotingTrouble(health, async () => {
        health.assertReadable();
        const found = await readInOwnThread(file, { name: "findViolations", input }, clock.now());
        return found as readonly Violation[];
      });
    const threads = role === "serve" && onStep === undefined ? new ReadThreads(file) : undefined;
    return createStore({ reader, threads, writer, clock, health, release, examine, ...options });
  } catch (error) {
    release();
    throw error;
  }
}

/** A database in memory has one connection and ends with the process, so every open creates it. */
function openInMemory(options: SqliteOptions): Store {
  const connection = new Connection(":memory:");
  const clock = prepareConnection(connection, ":memory:", options);
  return createStore({
    reader: new Reader(connection, { sharesTurns: false }),
    writer: createInProcessWriter(connection, undefined, options.onStep),
    clock,
    health: new StorageHealth(undefined),
    release: () => {},
    examine: async () => [],
    ...options,
  });
}

/** Checks every page, migrates, and returns the clock to use. Closes the connection on failure. */
function prepareConnection(
  connection: Connection,
  path: string,
  { role = "manage", trustClock = false, onStep = () => {}, clock }: SqliteOptions,
): Clock {
  try {
    const damage = connection.findDamage();
    if (damage !== undefined) throw fileDamagedError(path, damage);
    connection.exec("BEGIN IMMEDIATE");
    onStep("migrate");
    connection.run(migrateSchema("sqlite", MIGRATIONS), 0);
    onStep("migrated");
    connection.exec("COMMIT");
    if (clock !== undefined) return clock;
    const { servedAtMs } = connection.run(findStoreState(), 0);
    const guarded = createGuardedSystemClock(trustClock ? undefined : servedAtMs);
    guarded.now();
    if (role === "manage") assertClockTrusted(guarded);
    return guarded;
  } catch (error) {
    connection.close();
    throw toStorageError(error) ?? error;
  }
}

function fileDamagedError(path: string, damage: string): StoreError {
  return new StoreError(
    "STORAGE_UNAVAILABLE",
    `${path} is damaged: ${damage.replaceAll("\n", " ")}; restore a backup`,
    { path },
  );
}

/** Fails: `STORE_MISSING` if a database has none of our tables, `SCHEMA_TOO_NEW`. */
function* assertSchemaUsable(path: string): Operation<void> {
  const found = yield* queryFirstRow(sql`SELECT name FROM sqlite_master WHERE name = 'schema_migration'`);
  if (found === undefined) {
    throw new StoreError(
      "STORE_MISSING",
      `${path} is a database without groundrule's state; name another with --store, or put the store's file back`,
      { path },
    );
  }
  yield* readKnownSchema(MIGRATIONS);
}

/**
 * A charge that violates a constraint is either a bug, or the ledger contradicts itself.
 *
 * Fails: `STORAGE_UNAVAILABLE` if the ledger contradicts itself.
 */
async function assertLedgerConsistent(
  examine: StoreReads["findViolations"],
  { organization, mode }: Scope,
): Promise<void> {
  const violations = await examine({ extent: "all", organization });
  const own = violations.find((violation) => violation.mode === mode);
  if (own !== undefined) throw rowDamagedError(`${own.invariant}: ${own.message}`);
}

interface StoreParts extends Pick<SqliteOptions, "onLost"> {
  readonly reader: Reader;
  /** Threads for reads that may take long; absent if no requests are served meanwhile. */
  readonly threads?: ReadThreads | undefined;
  readonly writer: GroupWriter;
  readonly clock: Clock;
  readonly health: StorageHealth;
  readonly release: () => void;
  /** Examines the file concurrently with its reads and writes. */
  readonly examine: StoreReads["findViolations"];
}

function createStore({
  reader,
  threads,
  writer,
  clock,
  health,
  release,
  examine,
  onLost = endProcessWithError,
}: StoreParts): Store {
  const commits = new GroupCommit<WriteCall, unknown>(async (calls) => {
    health.assertWritable();
    try {
      const results = await writer.write(calls, clock.now());
      health.noteWritten(calls, results);
      // A caller that receives a write's result must see the write.
      reader.refresh();
      return results.map((result) => ({ resolve, reject }) => {
        if ("failed" in result) reject(fromPlainError(result.failed));
        else resolve(result.value);
      });
    } catch (error) {
      if (error instanceof StoreError && error.code === "STORAGE_UNAVAILABLE") throw error;
      const lost =
        error instanceof StoreError ? error : new StoreError("OUTCOME_UNKNOWN", String(error), {}, error);
      health.noteLost(lost);
      onLost(lost);
      throw lost;
    }
  });
  return assembleStore({
    kind: "sqlite",
    opensGatesInTurns: true,
    ...(threads !== undefined && {
      readApart: (call: ReadCall) =>
        call.name === "findViolations"
          ? // A whole ledger takes longer than anybody should wait for a thread.
            examine(call.input)
          : readNotingTrouble(health, async () => {
              health.assertReadable();
              return threads.read(call, clock.now());
            }),
    }),
    read: (operation, view) =>
      readNotingTrouble(health, async () => {
        health.assertReadable();
        return view === "latest"
          ? reader.latest(operation(), clock.now())
          : reader.snapshot(operation(), clock.now());
      }),
    write: (call) => commits.add(call),
    settle: async (settlement, company) => {
      // Read first: a clock that has been corrected is trusted again.
      clock.now();
      const refusal = clock.distrust?.() ?? health.damaged;
      if (refusal !== undefined) throw new StoreError("STORAGE_UNAVAILABLE", refusal);
      try {
        const outcomes = await commits.add({ name: "settleBatch", input: [settlement] }, company?.ofAll);
        return (outcomes as readonly SettleOutcome[])[0]!;
      } catch (error) {
        if (!(error instanceof StoreError)) await assertLedgerConsistent(examine, settlement.scope);
        throw error;
      }
    },
    backup: (path) => writePrivateCopy(path, (target) => reader.copyTo(target)),
    trouble: async () => {
      const size = health.probe;
      // Problems of this probe are recorded.
      if (size !== undefined)
        await commits.add({ name: "noteServed", input: { ballast: size } }).catch(() => {});
      clock.now();
      return health.trouble() ?? clock.trouble?.();
    },
    close: async () => {
      health.close();
      // The last connection to close copies the log into the file, if it may write, so that a single file remains.
      await threads?.close();
      reader.close();
      await writer.close();
      release();
    },
  });
}

/** A store over a file that a command reads without changing it. */
async function storeForReading(file: string, clock: Clock): Promise<Store> {
  const read = <Result>(look: (reader: Reader) => Result): Promise<Result> => readStateChecked(file, look);
  const refuse = async (): Promise<never> => {
    throw new Error("the store was opened for reading");
  };
  await read((reader) => reader.snapshot(assertSchemaUsable(file), 0));
  return assembleStore({
    kind: "sqlite",
    read: (operation) => read((reader) => reader.snapshot(operation(), clock.now())),
    write: refuse,
    settle: refuse,
    backup: (path) => writePrivateCopy(path, (target) => read((reader) => reader.copyTo(target))),
    trouble: async () => {
      const damage = await read((reader) => reader.findDamage());
      return damage === undefined ? undefined : fileDamagedError(file, damage).message;
    },
    close: async () => {},
  });
}

async function readStateChecked<Result>(file: string, look: (reader: Reader) => Result): Promise<Result> {
  try {
    return await readStateFile(file, look);
  } catch (error) {
    throw toStorageError(error) ?? error;
  }
}

/** Runs a read of the file, and records its problem, if any. */
async function readNotingTrouble<Result>(
  health: StorageHealth,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    const trouble = toStorageError(error);
    if (trouble !== undefined) health.noteUnread(trouble);
    // The form in which a thread reports it.
    else if (isUnread(error)) health.noteUnread(error);
    else if (error instanceof StoreError) health.noteTrouble(error);
    // Rows read from a file that was moved away are not reliable.
    health.assertInPlace();
    throw trouble ?? error;
  }
}

/** True if the file could not be read; a single damaged row does not count. */
function isUnread(error: unknown): error is StoreError {
  return (
    error instanceof StoreError && error.code === "STORAGE_UNAVAILABLE" && error.details.damaged !== "row"
  );
}

/** Writes a copy that only its owner may read, and that gets its name only when complete. */
async function writePrivateCopy(path: string, copy: (target: string) => void | Promise<void>): Promise<void> {
  if (existsSync(path)) {
    throw new StoreError("STORE_NOT_EMPTY", `${path} already exists; name another file`, { path });
  }
  const temporary = `${path}.tmp`;
  try {
    await copy(temporary);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function endProcessWithError(error: StoreError): void {
  console.error(error);
  process.exit(70);
}
