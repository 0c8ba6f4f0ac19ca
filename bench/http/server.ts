/**
 * A server that is measured, in a process of its own: Hono that parses and checks the body where there is no store,
 * else the service over that store.
 *
 * It says where it listens, and answers two messages: `cpu` and `memory`.
 */

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import * as z from "zod";
import { createKey } from "../../apps/api/src/admin/api-keys.ts";
import { createOrganization } from "../../apps/api/src/admin/organizations.ts";
import { startServer } from "../../apps/api/src/http/serve.ts";
import { openStore } from "../../apps/api/src/store/open-store.ts";
import { openData } from "../../packages/node/src/open-data.ts";
import { AnswerPool } from "../../packages/service/src/answer-pool.ts";
import { hostInWorkers } from "../../packages/service/src/engine-host.ts";

export type ServerName = "parse" | "sqlite" | "postgres";

/** The message of a server once it listens. */
export interface Listening {
  readonly url: string;
  /** Undefined: of a server that asks for none. */
  readonly key?: string;
}

async function startBareServer(): Promise<Listening> {
  const app = new Hono();
  app.post("/", async (c) => {
    const parsed = bodySchema.safeParse(await c.req.json());
    return c.json({ ok: parsed.success }, parsed.success ? 200 : 422);
  });
  const server = createServer(getRequestListener(app.fetch));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

async function startService(url: string): Promise<Listening> {
  const store = await openStore(url, { role: "serve", absent: "make" });
  const pepper = { version: 1, secret: randomBytes(32) };
  await createOrganization({ store, pepper }, { name: "bench", liveQuota: 100_000_000 });
  const { key } = await createKey({ store, pepper }, { organization: "bench", mode: "live", name: "bench" });
  const data = openData(process.env.GROUNDRULE_BENCH_DIR!);
  const server = await startServer({
    engine: hostInWorkers(() => data.engine, new AnswerPool(data.current)),
    engineVersion: "bench",
    store,
    peppers: [pepper],
    port: 0,
    burst: { perSecond: 1_000_000, burst: 1_000_000 },
    print: () => {},
  });
  return { url: `${server.url}/v1/evaluate`, key };
}

/** CPU microseconds so far. Linux tells the time of each thread; elsewhere only the sum is known. */
function measureOwnCpu(): Record<string, number> {
  const { user, system } = process.cpuUsage();
  const spent: Record<string, number> = { all: user + system };
  const tasks = "/proc/self/task";
  if (!existsSync(tasks)) return spent;
  for (const task of readdirSync(tasks)) {
    const thread = readFileSync(`${tasks}/${task}/comm`, "utf8").trim();
    const [nanoseconds = "0"] = readFileSync(`${tasks}/${task}/schedstat`, "utf8").split(" ");
    const role = ROLES.find(([pattern]) => pattern.test(thread))?.[1] ?? "rest";
    spent[role] = (spent[role] ?? 0) + Number(nanoseconds) / 1_000;
  }
  return spent;
}

/** Node names its threads, and those that a server starts are named by it. */
const ROLES: readonly (readonly [RegExp, string])[] = [
  [/MainThread$|^node$/, "http"],
  [/^answers$/, "answers"],
  [/^writer$/, "writer"],
];

const position = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]);

/** A body's shape, checked as a service without an engine of its own would. */
const bodySchema = z.strictObject({
  input: z.strictObject({
    geometry: z.strictObject({ type: z.literal("Polygon"), coordinates: z.array(z.array(position).min(4)) }),
  }),
  ruleset: z.strictObject({
    sets: z.record(
      z.string().max(64),
      z.union([
        z.strictObject({
          sources: z.array(z.string()),
          within_m: z.number().min(0).optional(),
          where: z.looseObject({ op: z.string(), args: z.array(z.unknown()) }).optional(),
        }),
        z.strictObject({ intersection: z.array(z.string()).min(2) }),
      ]),
    ),
    checks: z.array(
      z.strictObject({
        id: z.string().regex(/^[a-z0-9_-]{1,64}$/),
        set: z.string(),
        measure: z.string().optional(),
        value: z.number().optional(),
        outcome: z.enum(["NON_COMPLIANT", "WARNING", "NOTICE"]),
      }),
    ),
  }),
});

const store = process.env.GROUNDRULE_BENCH_STORE!;
const at = store === "" ? await startBareServer() : await startService(store);
process.on("message", (message) => {
  process.send?.(message === "memory" ? process.resourceUsage().maxRSS * 1_024 : measureOwnCpu());
});
process.send?.(at);
