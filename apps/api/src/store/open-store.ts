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
  if (isAmbiguous(url)) {
    throw new StoreError(
      "VALUE_INVALID",
      'found an "@" behind a "/", "?" or "#" of the store\'s URL, where it may belong to the password; write %40 for @, %2F for /, %3F for ? and %23 for # there, or leave the password out and name its file in store_password_file',
    );
  }
  return openPostgres(url, { ...common, ...postgres });
}

/**
 * True if a password may go on where a parser ends the host: in `postgres://me:p@ss/word@host/db` it would look for the
 * host `ss`, and print it. An `@` before the first `/`, `?` and `#` is no such case, as the last one there ends the password.
 */
function isAmbiguous(url: string): boolean {
  const [, path = "", query = "", fragment = ""] =
    /^\w+:\/\/[^/?#]*([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? [];
  if (path === "" || !query.includes("@")) return `${path}${query}${fragment}`.includes("@");
  if (`${path}${fragment}`.includes("@")) return true;
  // A parameter such as user=me@server has one, behind its name.
  return query.split("&").some((part) => {
    const at = part.indexOf("@");
    return at !== -1 && (!part.slice(0, at).includes("=") || part.includes("/", at));
  });
}

/** The path in a store's URL, if it names a SQLite file. */
export function findSqlitePath(url: string): string | undefined {
  return url.startsWith("sqlite:") ? url.slice("sqlite:".length) : undefined;
}
