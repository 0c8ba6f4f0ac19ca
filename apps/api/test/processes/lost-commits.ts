import type { Store } from "../../src/store/port/port.ts";
import { openPostgres, type PostgresOptions } from "../../src/store/postgres/open-postgres.ts";
import { PASSWORD, type PostgresCluster } from "../postgres-cluster.ts";
import { runSqlPastStore } from "../store-places.ts";
import { type Cut, startTcpProxy, type TcpProxy } from "../tcp-proxy.ts";

/** A store behind a proxy that cuts the next COMMIT once it is armed. */
export interface CutStore {
  readonly store: Store;
  readonly proxy: TcpProxy;
  arm(): void;
}

export async function withCutCommit<Result>(
  url: string,
  cut: Cut,
  options: PostgresOptions,
  action: (on: CutStore) => Promise<Result>,
): Promise<Result> {
  let isArmed = false;
  const decide = (): Cut => {
    const next = isArmed ? cut : undefined;
    isArmed = false;
    return next;
  };
  const { port, pathname } = new URL(url);
  const proxy = await startTcpProxy(Number(port), decide);
  const proxied = `postgres://groundrule:${PASSWORD}@127.0.0.1:${proxy.port}${pathname}`;
  const store = await openPostgres(proxied, {
    absent: "make",
    // However long a busy machine takes to bring the server back.
    resolveMs: 600_000,
    ...options,
  });
  const arm = (): void => {
    isArmed = true;
  };
  try {
    return await action({ store, proxy, arm });
  } finally {
    await store.close();
    await proxy.close();
  }
}

/**
 * Makes a write whose COMMIT never arrives: the server goes down, comes back without the transaction,
 * and gives its number to a stranger, who commits. Only then does the store reach the server again.
 *
 * The cluster must write its log late (`wal_writer_delay`), or the number might be remembered.
 *
 * @throws where the number was not given to a stranger
 */
export function loseToStranger<Result>(
  cluster: PostgresCluster,
  url: string,
  on: CutStore,
  write: () => Promise<Result>,
): Promise<Result> {
  return loseInCrash(cluster, url, on, write, async (lost) => {
    await cluster.start();
    let issued = await commitAsStranger(url);
    if (issued > lost) throw new Error(`number ${lost} was not given out again: ${issued} was the first`);
    while (issued <= lost) issued = await commitAsStranger(url);
    on.proxy.refuse(false);
  });
}

/** @param comeBack starts the server, told the number of the transaction that was lost, and lets links through */
export async function loseInCrash<Result>(
  cluster: PostgresCluster,
  url: string,
  { proxy, arm }: CutStore,
  write: () => Promise<Result>,
  comeBack: (lost: number) => Promise<void>,
): Promise<Result> {
  arm();
  const result = write();
  // It is waited for at the end; until then it must not be an unhandled rejection.
  result.catch(() => {});
  await Promise.race([proxy.withheld, result]);
  proxy.refuse(true);
  const lost = await queryLastValue(
    url,
    `SELECT backend_xid::text FROM pg_stat_activity
      WHERE datname = current_database() AND backend_xid IS NOT NULL AND pid <> pg_backend_pid()`,
  );
  await cluster.crash();
  await comeBack(Number(lost));
  return result;
}

/** The number of a transaction that was committed. */
async function commitAsStranger(url: string): Promise<number> {
  return Number(await queryLastValue(url, "SELECT pg_current_xact_id()::text"));
}

/** Runs statements, and gives the first value of the last. */
export async function queryLastValue(url: string, ...texts: readonly string[]): Promise<unknown> {
  return Object.values((await runSqlPastStore(url, ...texts))[0] ?? {})[0];
}
