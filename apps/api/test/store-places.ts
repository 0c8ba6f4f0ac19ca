import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { openStore } from "../src/store/open-store.ts";
import type { OpenOptions } from "../src/store/port/open-options.ts";
import type { Store } from "../src/store/port/port.ts";
import { Connection } from "../src/store/sqlite/connection.ts";
import type { PostgresCluster } from "./postgres-cluster.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** A place for one store, and a way past the store to what it wrote. */
export interface StorePlace {
  open(clock: VirtualClock, role?: "serve" | "manage"): Promise<Store>;
  readonly url: string;
  /** By the system's clock, as the service and the commands do. */
  openIfThere(options: OpenOptions): Promise<Store>;
  /** Runs SQL as whoever can reach the database could. */
  meddle(text: string): Promise<void>;
  /** Runs SQL over a connection such as the store's own. */
  runAsStore(text: string): Promise<void>;
}

/** The place of a store that there is. */
export function placeOf(url: string): StorePlace {
  return url.startsWith("sqlite:") ? sqlitePlace(url.slice("sqlite:".length)) : postgresPlace(url);
}

/** A file in the folder. */
export async function newSqlitePlace(folder: string): Promise<StorePlace> {
  return sqlitePlace(join(folder, `${randomUUID()}.db`));
}

function sqlitePlace(path: string): StorePlace {
  return {
    url: `sqlite:${path}`,
    open: (clock, role = "serve") => openStore(`sqlite:${path}`, { role, absent: "make", sqlite: { clock } }),
    openIfThere: (options) => openStore(`sqlite:${path}`, options),
    meddle: async (text) => {
      const database = new DatabaseSync(path, { timeout: 60_000 });
      try {
        database.exec(text);
      } finally {
        database.close();
      }
    },
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
export async function newPostgresPlace(
  cluster: Pick<PostgresCluster, "createDatabase">,
): Promise<StorePlace> {
  return postgresPlace(await cluster.createDatabase());
}

function postgresPlace(url: string): StorePlace {
  const query = async (text: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(text);
    } finally {
      await client.end();
    }
  };
  return {
    url,
    open: (clock) => openStore(url, { absent: "make", postgres: { clock: { read: () => clock.now() } } }),
    openIfThere: (options) => openStore(url, options),
    meddle: query,
    runAsStore: query,
  };
}
