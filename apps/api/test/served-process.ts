import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SnapshotFile } from "@groundrule/engine/build";
import { installEdition } from "@groundrule/node";
import { openStore } from "../src/store/open-store.ts";
import type { Watched } from "./attacks/watch-process.ts";
import { followService } from "./followed-service.ts";
import { createTestOrganization, PEPPER } from "./service.ts";
import { withTemporaryFolder } from "./temporary-folder.ts";

/** `groundrule serve` in a process of its own, and organizations that may ask it. */
export interface ServedProcess {
  /** The data folder that it serves. */
  readonly dir: string;
  readonly url: string;
  readonly port: number;
  /** A key of the first organization, in test mode. */
  readonly key: string;
  /** One of each organization, in test mode. */
  readonly keys: readonly string[];
  /** All it wrote to its log so far. */
  log(): string;
  /** Delays and memory of the process since the last call. */
  watched(): Promise<Watched>;
}

export interface ServedProcessOptions {
  /** Snapshots that the service answers from. */
  readonly editions: readonly SnapshotFile[];
  /** Default a SQLite file of its own. */
  readonly store?: string;
  readonly workers?: number;
  /** How many there are. Default 1. */
  readonly organizations?: number;
  /** Done to the store, which nobody has open, before it is served. */
  readonly prepare?: (url: string, organizations: readonly string[]) => Promise<void>;
}

const COMMAND = new URL("../../cli/src/main.ts", import.meta.url);
const WATCH = new URL("./attacks/watch-process.ts", import.meta.url).href;

/** Serves as long as the action takes. */
export function withServedProcess<Result>(
  { editions, store, workers = 2, organizations = 1, prepare }: ServedProcessOptions,
  action: (served: ServedProcess) => Promise<Result>,
): Promise<Result> {
  return withTemporaryFolder(async (dir) => {
    for (const file of editions) await installEdition(dir, file);
    const url = store ?? `sqlite:${join(dir, "state.db")}`;
    const pepper = join(dir, "pepper");
    await writeFile(pepper, Buffer.from(PEPPER.secret).toString("hex"), { mode: 0o600 });
    const state = await openStore(url, { absent: "make" });
    const made: { readonly organization: string; readonly key: string }[] = [];
    for (let i = 0; i < organizations; i++) {
      made.push(await createTestOrganization(state, { quota: 1_000_000_000 }));
    }
    await state.close();
    const keys = made.map(({ key }) => key);
    await prepare?.(
      url,
      made.map(({ organization }) => organization),
    );
    const limits = ["--rate-limit", "1000000", "--burst", "1000000", "--workers", String(workers)];
    const places = ["--data", dir, "--store", url, "--pepper", pepper];
    const child = fork(COMMAND, ["serve", "--port", "0", ...places, ...limits], {
      execArgv: ["--import", WATCH],
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    const service = await followService(child);
    const { url: address, log } = service;
    try {
      return await action({
        dir,
        url: address,
        port: Number(new URL(address).port),
        key: keys[0]!,
        keys,
        log,
        watched: async () => {
          const answer = once(child, "message");
          child.send("watched");
          return (await answer)[0] as Watched;
        },
      });
    } finally {
      await service.kill();
    }
  });
}
