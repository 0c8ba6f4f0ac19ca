import type { OpenOptions } from "./port/open-options.ts";
import type { Store } from "./port/port.ts";
import { StoreError } from "./port/store-error.ts";
import { openPostgres, type PostgresOptions } from "./postgres/open-postgres.ts";
import { openSqlite, type SqliteOptions } from "./sqlite/open-sqlite.ts";

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
  const path = findSqlitePath(url);
  if (path !== undefined) return openSqlite(path, { ...common, ...sqlite });
  if (!/^postgres(ql)?:/.test(url)) {
    const scheme = /^\w*:/.exec(url)?.[0] ?? "";
    throw new StoreError(
      "VALUE_INVALID",
      `found the store "${scheme}…", expected sqlite:PATH or postgres://user:password@host:port/database`,
    );
  }
  // The driver accepts a missing host, with or without a user.
  if (!URL.canParse(url.replace("@/", "@localhost/"))) {
    throw new StoreError(
      "VALUE_INVALID",
      "the store's URL cannot be parsed; expected postgres://user:password@host:port/database, with %40 for @, %2F for / and so on in the user and the password",
    );
  }
  return openPostgres(url, { ...common, ...postgres });
}

/** The path in a store's URL, if it names a SQLite file. */
export function findSqlitePath(url: string): string | undefined {
  return url.startsWith("sqlite:") ? url.slice("sqlite:".length) : undefined;
}
