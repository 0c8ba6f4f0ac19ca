import type { Store } from "./port/port.ts";
import { StoreError } from "./port/store-error.ts";
import { openPostgres, type PostgresOptions } from "./postgres/open-postgres.ts";
import { openSqlite, type SqliteOptions } from "./sqlite/open-sqlite.ts";

/** How a store is opened, whichever database it is of. */
export interface OpenOptions {
  /**
   * `serve`: a serving process, of which a SQLite file has one; `manage`: a command beside it; `read`: a
   * command that changes nothing, not even the schema. Default `manage`.
   */
  readonly role?: "serve" | "manage" | "read";
  /** Whether a store is made where there is none. Default it is refused, with `STORE_MISSING`. */
  readonly absent?: "make" | "refuse";
  /** Whether the clock is believed however far it is from the instant at which the store was last served. */
  readonly trustClock?: boolean;
}

/**
 * Opens the state a URL names: `sqlite:PATH` (`sqlite::memory:` keeps nothing) or `postgres://…`.
 *
 * Fails: `VALUE_INVALID`, and as {@link openSqlite} and {@link openPostgres} do.
 */
export async function openStore(
  url: string,
  options: OpenOptions & {
    readonly sqlite?: Omit<SqliteOptions, keyof OpenOptions>;
    readonly postgres?: Omit<PostgresOptions, keyof OpenOptions>;
  } = {},
): Promise<Store> {
  const { sqlite, postgres, ...common } = options;
  const path = sqlitePathOf(url);
  if (path !== undefined) return openSqlite(path, { ...common, ...sqlite });
  if (!/^postgres(ql)?:/.test(url)) {
    const scheme = /^\w*:/.exec(url)?.[0] ?? "";
    throw new StoreError(
      "VALUE_INVALID",
      `the store is "${scheme}…", expected sqlite:PATH or postgres://user:password@host:port/database`,
    );
  }
  // The driver takes a host that is left out, with a user or without.
  if (!URL.canParse(url.replace("@/", "@localhost/"))) {
    throw new StoreError(
      "VALUE_INVALID",
      "the store's URL cannot be read, expected postgres://user:password@host:port/database with %40 for @, %2F for / and so on in user and password",
    );
  }
  return openPostgres(url, { ...common, ...postgres });
}

/** The path in a store's URL, where it names a SQLite file. */
export function sqlitePathOf(url: string): string | undefined {
  return url.startsWith("sqlite:") ? url.slice("sqlite:".length) : undefined;
}
