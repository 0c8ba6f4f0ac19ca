import type { Store } from "./port.ts";
import { openPostgres, type PostgresOptions } from "./postgres/open-postgres.ts";
import { openSqlite, type SqliteOptions } from "./sqlite/open-sqlite.ts";
import { StoreError } from "./store-error.ts";

/**
 * Opens the state a URL names: `sqlite:PATH` (`sqlite::memory:` keeps nothing) or `postgres://…`.
 *
 * Fails: `VALUE_INVALID`, and as {@link openSqlite} and {@link openPostgres} do.
 */
export async function openStore(
  url: string,
  options: { readonly sqlite?: SqliteOptions; readonly postgres?: PostgresOptions } = {},
): Promise<Store> {
  if (url.startsWith("sqlite:")) return openSqlite(url.slice("sqlite:".length), options.sqlite);
  if (/^postgres(ql)?:/.test(url)) return openPostgres(url, options.postgres);
  const scheme = url.split(":", 1)[0];
  throw new StoreError(
    "VALUE_INVALID",
    `the store is "${scheme}:…", expected sqlite:PATH or postgres://user:password@host:port/database`,
  );
}
