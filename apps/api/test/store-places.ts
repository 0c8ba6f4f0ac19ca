import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { onTestFinished } from "vitest";
import type { Scope } from "../src/ledger/scope.ts";
import { findSqlitePath, openStore } from "../src/store/open-store.ts";
import type { OpenOptions } from "../src/store/port/open-options.ts";
import type { Store } from "../src/store/port/port.ts";
import { Connection } from "../src/store/sqlite/connection.ts";
import type { PostgresCluster } from "./postgres-cluster.ts";
import { createLiveScope } from "./settlement.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** A place for one store, and a way past the store to what it wrote. */
export interface StorePlace {
  open(clock: VirtualClock, role?: "serve" | "manage"): Promise<Store>;
  readonly url: string;
  /** By the system's clock, as the service and the commands do. */
  openIfThere(options: OpenOptions): Promise<Store>;
  /** Runs SQL as whoever can reach the database could. */
  meddle(text: string): Promise<readonly Row[]>;
  /** Runs SQL over a connection such as the store's own. */
  runAsStore(text: string): Promise<void>;
}

/** Opens a store for as long as an action takes. */
export async function withStore<Result>(
  url: string,
  action: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(url);
  try {
    return await action(store);
  } finally {
    await store.close();
  }
}

type Row = Readonly<Record<string, unknown>>;

/** Runs SQL past the store, as whoever can reach the database could; the rows of the last statement. */
export async function runSqlPastStore(url: string, ...texts: readonly string[]): Promise<readonly Row[]> {
  let rows: readonly Row[] = [];
  const path = findSqlitePath(url);
  if (path !== undefined) {
    const database = new DatabaseSync(path, { timeout: 60_000 });
    try {
      for (const text of texts) {
        if (/^\s*(SELECT|WITH)\b/.test(text)) rows = database.prepare(text).all();
        else database.exec(text);
      }
    } finally {
      database.close();
    }
    return rows;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const text of texts) ({ rows } = [await client.query<Row>(text)].flat().at(-1)!);
  } finally {
    await client.end();
  }
  return rows;
}

/** A store of its own for the test that runs, with a scope in it. */
export interface FreshStore {
  readonly place: StorePlace;
  readonly clock: VirtualClock;
  readonly store: Store;
  readonly scope: Scope;
}

/** Makes a store, which is closed when the test has ended. */
export async function createFreshStore(
  newPlace: () => Promise<StorePlace>,
  quota: number,
  { clock = new VirtualClock("2026-05-01T00:00:00Z"), role = "serve" as "serve" | "manage" } = {},
): Promise<FreshStore> {
  const place = await newPlace();
  const store = await place.open(clock, role);
  onTestFinished(() => store.close());
  return { place, clock, store, scope: await createLiveScope(store, quota) };
}

/** The place of a store that there is. */
export function toStorePlace(url: string): StorePlace {
  const path = findSqlitePath(url);
  return path === undefined ? toPostgresPlace(url) : toSqlitePlace(path);
}

/** A file in the folder. */
export async function createSqlitePlace(folder: string): Promise<StorePlace> {
  return toSqlitePlace(join(folder, `${randomUUID()}.db`));
}

function toSqlitePlace(path: string): StorePlace {
  const url = `sqlite:${path}`;
  return {
    url,
    open: (clock, role = "serve") => openStore(url, { role, absent: "make", sqlite: { clock } }),
    openIfThere: (options) => openStore(url, options),
    meddle: (text) => runSqlPastStore(url, text),
    runAsStore: async (text) => {
      const connection = new Connection(path);
      try {
        connection.exec(text);
      } finally {
        connection.close();
      }
    },
  };
}

/** A database of the cluster. */
export async function createPostgresPlace(
  cluster: Pick<PostgresCluster, "createDatabase">,
): Promise<StorePlace> {
  return toPostgresPlace(await cluster.createDatabase());
}

function toPostgresPlace(url: string): StorePlace {
  return {
    url,
    open: (clock) => openStore(url, { absent: "make", postgres: { clock: { read: () => clock.now() } } }),
    openIfThere: (options) => openStore(url, options),
    meddle: (text) => runSqlPastStore(url, text),
    runAsStore: async (text) => {
      await runSqlPastStore(url, text);
    },
  };
}
