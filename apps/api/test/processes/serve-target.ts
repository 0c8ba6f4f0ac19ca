import { execFile, spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { Agent } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { installEdition } from "@groundrule/node";
import { formatEditionPath } from "@groundrule/node/internal";
import { createSmallWorldFiles, createSquarePlot } from "@groundrule/testing/small-world";
import { createKey } from "../../src/admin/api-keys.ts";
import { openPepper } from "../../src/admin/open-pepper.ts";
import { createOrganization } from "../../src/admin/organizations.ts";
import { openStore } from "../../src/store/open-store.ts";
import { type Exchanged, exchangeRequest } from "../exchange.ts";
import { type FollowedService, followService } from "../followed-service.ts";
import type { Answer, Order, Served, Target } from "./target.ts";

const COMMAND = fileURLToPath(new URL("../../../cli/src/main.ts", import.meta.url));
const BROKEN = "demo:lands";

/** A data folder and a pepper: what any number of processes can serve from. */
export interface Deployment {
  readonly dataFolder: string;
  readonly pepperFile: string;
}

/** The small world as a data folder; the edition of one source is damaged, so that asking it degrades. */
export async function createDeployment(dir: string): Promise<Deployment> {
  const dataFolder = join(dir, "data");
  for (const file of createSmallWorldFiles()) {
    const { edition, manifest } = (await installEdition(dataFolder, file)).meta;
    if (manifest.source_name !== BROKEN) continue;
    const path = formatEditionPath(dataFolder, BROKEN, edition);
    const bytes = await readFile(path);
    // The middle of the file lies in a section whose checksum then no longer fits.
    bytes[bytes.length >> 1]! ^= 0xff;
    await writeFile(path, bytes);
  }
  return { dataFolder, pepperFile: join(dir, "pepper") };
}

type Caller = Pick<ServeTarget, "ask" | "askSlowly" | "get">;

/** A service that runs as the command runs it. */
export interface ServeTarget extends Target, FollowedService {
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
  get(path: string): Promise<Exchanged>;
  /** Asks with a pause in the middle of the body. */
  askSlowly(order: Order, pauseMs: number): Promise<Answer>;
  /** The same service, asked with another API key. */
  as(key: string): Caller;
}

export interface ServeSettings extends Deployment {
  readonly store: string;
  /** The API key to ask with. */
  readonly key: string;
  /** The program that runs the command, such as `strace` and its options. */
  readonly under?: readonly string[];
}

/** Arguments of Node that run `groundrule serve`. */
export function buildServeArguments(
  { dataFolder, pepperFile, store }: ServeSettings,
  port: number,
): string[] {
  const options = { data: dataFolder, pepper: pepperFile, store, port, workers: 1 };
  const limits = { "rate-limit": 1_000_000, burst: 1_000_000 };
  const named = Object.entries({ ...options, ...limits });
  return [COMMAND, "serve", ...named.flatMap(([name, value]) => [`--${name}`, `${value}`])];
}

/** Starts `groundrule serve` on a free port. */
export async function startServeTarget(settings: ServeSettings): Promise<ServeTarget> {
  const { under = [] } = settings;
  const [program, ...args] = [...under, process.execPath, ...buildServeArguments(settings, 0)];
  const child = spawn(program!, args, { stdio: ["ignore", "pipe", "pipe"] });
  const service = await followService(child);
  const { url, kill } = service;
  const gone = service.ended.then(() => {});
  const agent = new Agent({ keepAlive: true });
  void gone.then(() => agent.destroy());
  const as = (key: string): Caller => {
    const authorization = { Authorization: `Bearer ${key}` };
    const ask = async ({ request, degrades }: Order, pauseMs?: number): Promise<Answer> => {
      const body = JSON.stringify(makeOrderBody(request.fingerprint, degrades));
      const headers = {
        ...authorization,
        "Content-Type": "application/json",
        ...(request.key !== null && { "Idempotency-Key": request.key }),
      };
      return toAnswer(
        await exchangeRequest(`${url}/v1/evaluate`, "POST", headers, body, {
          agent,
          ...(pauseMs && { pauseMs }),
        }),
      );
    };
    return {
      get: (path) => exchangeRequest(`${url}${path}`, "GET", authorization, undefined, { agent }),
      ask: (order) => ask(order),
      askSlowly: ask,
    };
  };
  return {
    ...service,
    gone,
    as,
    ...as(settings.key),
    [Symbol.asyncDispose]: kill,
  };
}

/** Runs a command of the program to its end. Rejects where it fails. */
export async function runCommand(...args: string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, [COMMAND, ...args])).stdout;
}

/** Customers that are served by the command. */
export function createCommandServer(
  deployment: Deployment,
): (url: string, quota: number) => Promise<ServedByCommand> {
  return async (url, quota) => {
    const store = await openStore(url, { absent: "make" });
    const pepper = await openPepper(deployment.pepperFile, store);
    const name = `customer ${Math.random().toString(36).slice(2)}`;
    const { id } = await createOrganization({ store, pepper }, { name, liveQuota: quota });
    const { key } = await createKey(
      { store, pepper },
      { organization: id, mode: "live", name: "experiment" },
    );
    await store.close();
    return {
      scope: { organization: id, mode: "live" },
      key,
      // At a point of the system: the call of that name in any thread, as often as the count says.
      start: (killAt, under) => {
        const settings = { ...deployment, store: url, key };
        return killAt === undefined
          ? startServeTarget({ ...settings, ...(under !== undefined && { under }) })
          : startToBeKilled(settings, killAt);
      },
    };
  };
}

export interface ServedByCommand extends Served {
  readonly key: string;
  start(killAt?: string, under?: readonly string[]): Promise<ServeTarget>;
}

/** Why what needs failing system calls was not run. */
export const NEEDS_STRACE = "needs strace, to make system calls fail";

/** True if system calls can be made to fail here. */
export async function hasStrace(): Promise<boolean> {
  try {
    await promisify(execFile)("strace", ["-f", "-o", "/dev/null", "true"]);
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs a program whose system calls of these names are met by a fault, in strace's words.
 *
 * @param options.isQuick stops for no other calls; a signal cannot be a fault then
 * @param options.file the fault meets calls on this file alone, and they alone are counted
 */
export function buildStraceCommand(
  calls: string,
  fault: string,
  { isQuick = true, file }: { readonly isQuick?: boolean; readonly file?: string } = {},
): readonly string[] {
  // -D: the program stays our own child.
  const options = [
    "-D",
    "-f",
    "-qq",
    ...(isQuick ? ["--seccomp-bpf"] : []),
    "-o",
    "/dev/null",
    ...(file === undefined ? [] : ["-P", file]),
  ];
  return ["strace", ...options, "-e", `trace=${calls}`, "-e", `inject=${calls}:${fault}`];
}

/**
 * Starts what the system kills at a call of a thread. How many of them the start makes depends on the machine: what is
 * killed before it listens is followed by what is killed later.
 */
async function startToBeKilled(settings: ServeSettings, killAt: string): Promise<ServeTarget> {
  const [call, first] = killAt.split(":");
  for (let turn = Number(first); ; turn += 60) {
    const under = buildStraceCommand(call!, `signal=KILL:when=${turn}`, { isQuick: false });
    try {
      return await startServeTarget({ ...settings, under });
    } catch (error) {
      if (turn > 1_000 || !/ended with SIGKILL before it listened/.test(`${error}`)) throw error;
    }
  }
}

/** One key, one body, so that whoever asks again must be given the answer. */
function makeOrderBody(reference: string, degrades: boolean): object {
  return {
    reference_id: reference,
    input: { geometry: createSquarePlot(0.1, 0.05) },
    ruleset: {
      sets: { near: { sources: [degrades ? BROKEN : "demo:parks"] } },
      checks: [{ id: "near", set: "near", outcome: "NON_COMPLIANT" }],
    },
  };
}

function toAnswer({ status, headers, text }: Exchanged): Answer {
  if (status !== 200) {
    const { code, ...details } = JSON.parse(text);
    const after = headers["retry-after"];
    return {
      kind: "refused",
      code,
      details: { status, ...details },
      ...(after !== undefined && { retryAfterSeconds: Number(after) }),
    };
  }
  const decisionId = headers["x-decision-id"];
  if (typeof decisionId !== "string") return { kind: "uncharged" };
  const kind = headers["idempotent-replayed"] === "true" ? "replayed" : "charged";
  return { kind, response: text, decisionId };
}
