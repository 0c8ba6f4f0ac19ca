import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { ERRORS, type ErrorCode, type Problem } from "@groundrule/contract";
import { openEngine } from "@groundrule/engine";
import { PoolError } from "@groundrule/node";
import { type EngineHost, hostInProcess, hostInWorkers } from "@groundrule/service";
import { createSmallWorld, createSquarePlot, LISTED_CNPJ } from "@groundrule/testing/small-world";
import { createKey, revokeKey } from "../src/admin/api-keys.ts";
import { createOrganization, setSubscription } from "../src/admin/organizations.ts";
import { createCharging } from "../src/charging/charging.ts";
import { type AppOptions, createApp } from "../src/http/app.ts";
import { Cors } from "../src/http/exchange/cors.ts";
import { Outbox } from "../src/http/exchange/outbox.ts";
import { DEFAULT_ADMISSION } from "../src/http/gates/shed-load.ts";
import { StoreKeyRing } from "../src/http/gates/store-key-ring.ts";
import { EXAMPLE_ID, type ProblemExample } from "../src/http/openapi/problem-examples.ts";
import { OPERATIONS } from "../src/http/operations/operations.ts";
import { listErrorCodes } from "../src/http/operations/record/codes.ts";
import type { Operation as Described } from "../src/http/operations/record/operation.ts";
import { createHardenedServer } from "../src/http/server/hardened-server.ts";
import { ConnectionTurns } from "../src/http/server/turns.ts";
import type { KeyScope } from "../src/keys/key-scopes.ts";
import type { Store } from "../src/store/port/port.ts";
import { StoreError } from "../src/store/port/store-error.ts";
import { openSqlite } from "../src/store/sqlite/open-sqlite.ts";
import { buildSamplePath, findSampleBody } from "./operations.ts";
import { PEPPER } from "./service.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** The refusal of an operation with a code. */
interface ProvokedProblem {
  readonly operation: string;
  readonly code: ErrorCode;
  readonly problem: Problem;
}

/** Codes that no test can make the service answer with, and why. */
export const UNPROVOKED: Partial<Readonly<Record<ErrorCode, string>>> = {
  PATTERN_TOO_COMPLEX: "it takes a register of a size that no test builds",
};

/**
 * Makes every operation of the description refuse with every code that it tells of, but for {@link UNPROVOKED}, and
 * gives the problems by code. The
 * clock stands and ids are always the same, so that the same code gives the same problems.
 *
 * Rejects where an operation answers with something else.
 */
export async function provokeAllProblems(): Promise<Record<string, ProblemExample[]>> {
  const provoked = await Promise.all(
    OPERATIONS.map((operation) => provokeOperationProblems(toOperation(operation))),
  );
  const byCode: Record<string, ProblemExample[]> = {};
  for (const { operation, code, problem } of provoked.flat()) {
    byCode[code] ??= [];
    const alike = byCode[code].findIndex((known) => isDeepStrictEqual(known.problem, problem));
    if (alike === -1) byCode[code].push({ operations: [operation], problem });
    else byCode[code][alike] = { operations: [...byCode[code][alike]!.operations, operation], problem };
  }
  return byCode;
}

/** Makes the first operation that tells of a code refuse with it, for each code but {@link UNPROVOKED}. */
export async function provokeEachProblem(): Promise<ProvokedProblem[]> {
  const seen = new Set<ErrorCode>();
  const provoked = OPERATIONS.map((described) => {
    const operation = toOperation(described);
    const codes = operation.codes.filter((code) => !seen.has(code));
    for (const code of codes) seen.add(code);
    return provokeOperationProblems({ ...operation, codes });
  });
  return (await Promise.all(provoked)).flat();
}

async function provokeOperationProblems(operation: Operation): Promise<ProvokedProblem[]> {
  const provoked: ProvokedProblem[] = [];
  for (const code of operation.codes) {
    const provoke = PROVOCATIONS[code];
    if (provoke === undefined) continue;
    const world = await World.open();
    const problem = await provoke(world, operation).catch((cause) => {
      throw new Error(`${operation.id} ${code}`, { cause });
    });
    if (problem.code !== code) {
      throw new Error(`${operation.id}: found ${JSON.stringify(problem)}, expected ${code}`);
    }
    provoked.push({ operation: operation.id, code, problem });
    await world.store.close();
  }
  return provoked;
}

/** An operation, with a request that it takes. */
interface Operation {
  readonly id: string;
  readonly method: string;
  readonly codes: readonly ErrorCode[];
  readonly path: string;
  readonly body?: object;
}

const RULESET = {
  sets: { parks: { sources: ["demo:parks"] }, listed: { registers: ["demo:sanctions"] } },
  checks: [
    { id: "parks", set: "parks", outcome: "NON_COMPLIANT" },
    { id: "listed", set: "listed", outcome: "NON_COMPLIANT" },
  ],
};
const geometry = createSquarePlot(0.1, 0.05);
const scheme = { type: "br:cnpj", value: LISTED_CNPJ };
const plots = {
  type: "FeatureCollection",
  features: [{ type: "Feature", geometry, properties: { scheme } }],
};

/** Bodies for the small world, where the examples are for the demo. */
const BODIES: Readonly<Record<string, object>> = {
  evaluate: { input: { geometry, scheme }, ruleset: RULESET },
  intersections: { input: { geometry } },
  distance: { input: { geometry, max_distance_m: 10_000 } },
  subjects: { input: { scheme } },
  validate: { geometry },
  createJob: { ruleset: RULESET, plots },
  createRuleset: { name: "forest-plots", ...RULESET },
};

function toOperation(operation: Described): Operation {
  const { id, method } = operation;
  const body = BODIES[id] ?? findSampleBody(operation);
  const codes = [...new Set(listErrorCodes(operation))]
    .sort()
    .sort((a, b) => ERRORS[a].status - ERRORS[b].status);
  return { id, method, codes, path: buildSamplePath(operation), ...(body !== undefined && { body }) };
}

const engine = createSmallWorld();
const DAY_MS = 86_400_000;
const IDEMPOTENCY_KEY = "plot-1-2026-11";

interface RequestParts {
  readonly path?: string;
  readonly query?: string;
  /** Sent as it is where it is a text, else as JSON. */
  readonly body?: object | string;
  /** An empty one is left out. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A service with an organization, at an instant. */
class World {
  readonly clock: VirtualClock;
  readonly store: Store;
  readonly #keys = new Map<string, string>();

  private constructor(store: Store, clock: VirtualClock) {
    this.store = store;
    this.clock = clock;
  }

  static async open(): Promise<World> {
    const clock = new VirtualClock("2026-11-20T10:00:00Z");
    const store = await openSqlite(":memory:", { clock });
    const anchorMs = Date.parse("2026-11-14T09:30:00Z");
    await createOrganization({ store }, { name: "Example", liveQuota: 10_000, testQuota: 1, anchorMs });
    return new World(store, clock);
  }

  get host(): EngineHost {
    return hostInProcess(() => engine);
  }

  async key(mode: "live" | "test" = "live", scopes?: readonly KeyScope[]): Promise<string> {
    const name = `${mode} ${scopes}`;
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const ports = { store: this.store, pepper: PEPPER };
    const more = scopes === undefined ? {} : { scopes };
    const { key } = await createKey(ports, { organization: "Example", mode, name: "example", ...more });
    this.#keys.set(name, key);
    return key;
  }

  app(options: Partial<AppOptions> = {}): ReturnType<typeof createApp> {
    const store = options.store ?? this.store;
    let decisions = 0;
    return createApp({
      engine: this.host,
      store,
      charging: createCharging({
        store,
        mintDecisionId: () => `dec_${++decisions}`,
        // Nobody waits for long.
        sleep: async () => {},
      }),
      keys: new StoreKeyRing(store, [PEPPER]),
      now: () => new Date(this.clock.ms),
      steadyMs: () => 0,
      mintId: () => `req_${EXAMPLE_ID}`,
      engineVersion: "0.2.0",
      guides: fileURLToPath(new URL("../../../docs/guides/", import.meta.url)),
      report: () => {},
      ...options,
    });
  }

  async ask(operation: Operation, parts: RequestParts = {}, app = this.app()): Promise<Response> {
    const { path = operation.path, query = "", body = operation.body, headers = {} } = parts;
    const sent = {
      Authorization: `Bearer ${await this.key()}`,
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(operation.id === "createJob" && { "Idempotency-Key": IDEMPOTENCY_KEY }),
      ...headers,
    };
    return app.request(path + query, {
      method: operation.method,
      headers: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== "")),
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  }

  async refused(operation: Operation, parts: RequestParts = {}, app = this.app()): Promise<Problem> {
    return parseTidyProblem(await (await this.ask(operation, parts, app)).text());
  }

  /** Asks as often as that, then is refused. */
  async refusedAfter(
    operation: Operation,
    times: number,
    parts: RequestParts,
    last = parts,
  ): Promise<Problem> {
    const app = this.app({ burst: { perSecond: 1_000, burst: 1_000 } });
    for (let i = 0; i < times; i++) {
      const response = await this.ask(operation, parts, app);
      if (!response.ok) throw new Error(await response.text());
      await response.arrayBuffer();
    }
    return this.refused(operation, last, app);
  }

  /** The store, with every write that answers wait for, and the look at keys, failing. */
  failingStore(code: "STORAGE_UNAVAILABLE" | "OUTCOME_UNKNOWN", methods: readonly (keyof Store)[]): Store {
    const failing = methods.map((method) => [method, () => Promise.reject(new StoreError(code, "lost"))]);
    return { ...this.store, ...Object.fromEntries(failing) };
  }
}

/** Values that differ from run to run are replaced. */
function parseTidyProblem(text: string): Problem {
  return JSON.parse(text.replaceAll(/\b(req|dec|job)_(?:[0-9a-f]{32}|\d+)\b/g, `$1_${EXAMPLE_ID}`));
}

type Provoke = (world: World, operation: Operation) => Promise<Problem>;

/** A body with other members of its input. */
function buildBodyWithInput({ body }: Operation, input: object): object {
  const known = body as { readonly input: object };
  return { ...known, input: { ...known.input, ...input } };
}

/** A ruleset, wherever the operation takes it. */
function buildBodyWithRuleset({ body, id }: Operation, ruleset: object): object {
  return id === "createRuleset" ? { ...body, ...ruleset } : { ...body, ruleset: { ...RULESET, ...ruleset } };
}

const BOW_TIE = {
  type: "Polygon",
  coordinates: [
    [
      [0, 0],
      [0.1, 0.1],
      [0.1, 0],
      [0, 0.1],
      [0, 0],
    ],
  ],
};

/** More positions than a plot may have. */
function makeLongRing(): object {
  const ring = Array.from({ length: 100_002 }, (_, i) => [i * 1e-5, i % 2]);
  return { type: "Polygon", coordinates: [[...ring, ring[0]]] };
}

/** Plots that cross each other more often than one request may ask for. */
function makeCrossingPlots(): object {
  const comb = Array.from({ length: 3_000 }, (_, i) => [10 + i / 1e4, i % 2]);
  const back = comb.toReversed().map(([x, y]) => [x! + 5e-5, y!]);
  const crossing = { type: "Polygon", coordinates: [[...comb, ...back, comb[0]!]] };
  const features = Array.from({ length: 40 }, () => ({
    type: "Feature",
    geometry: crossing,
    properties: {},
  }));
  return { plots: { type: "FeatureCollection", features } };
}

const keyed = { headers: { "Idempotency-Key": IDEMPOTENCY_KEY } };

/** A key whose standing is refused. */
const withKeyThat: (change: (world: World, key: string) => Promise<unknown>) => Provoke =
  (change) => async (world, operation) => {
    await change(world, await world.key());
    return world.refused(operation);
  };

const PROVOCATIONS: Partial<Readonly<Record<ErrorCode, Provoke>>> = {
  API_KEY_EXPIRED: withKeyThat(async ({ clock }) => clock.advance(366 * DAY_MS)),
  API_KEY_INVALID: (world, operation) =>
    world.refused(operation, { headers: { Authorization: "Bearer key" } }),
  API_KEY_REVOKED: withKeyThat(async ({ store }) => {
    const [organization] = await store.listOrganizations({});
    const [key] = await store.listApiKeys({ organization: organization!.id });
    await revokeKey({ store }, key!.id);
  }),
  AUTHENTICATION_REQUIRED: (world, operation) => world.refused(operation, { headers: { Authorization: "" } }),
  CRS_MISMATCH: (world, operation) =>
    world.refused(operation, { body: buildBodyWithInput(operation, { crs: "EPSG:31983" }) }),
  CRS_UNKNOWN: (world, operation) =>
    world.refused(operation, { body: buildBodyWithInput(operation, { crs: "EPSG:99" }) }),
  DATA_UNAVAILABLE: (world, operation) =>
    world.refused(operation, {}, world.app({ engine: hostInProcess(() => openEngine([])) })),
  EVALUATION_ABORTED: (world, operation) => {
    const answer = () => Promise.reject(new PoolError("EVALUATION_ABORTED", "too long", {}));
    const pool = { answer, expectedMs: () => 0 };
    return world.refused(operation, {}, world.app({ engine: hostInWorkers(() => engine, pool) }));
  },
  FORBIDDEN: (world, operation) =>
    world.refused(operation, { body: { ...operation.body, name: "preset.ours" } }),
  GEOMETRY_INVALID: (world, operation) =>
    world.refused(operation, { body: buildBodyWithInput(operation, { geometry: BOW_TIE }) }),
  GEOMETRY_TOO_COMPLEX: (world, operation) =>
    world.refused(operation, {
      body:
        operation.id === "validate"
          ? makeCrossingPlots()
          : buildBodyWithInput(operation, { geometry: makeLongRing() }),
    }),
  HEADERS_TOO_LARGE: (world, { method, path }) =>
    sendRawMessage(world, `${method} ${path} HTTP/1.1\r\nHost: x\r\nX-Trace: ${"x".repeat(20_000)}\r\n\r\n`),
  HOLDING_LIMIT_REACHED: (world, operation) => {
    const holdings = { job_bytes: 1_000, ruleset_names: 0 };
    return world.refused(operation, {}, world.app({ holdings }));
  },
  IDEMPOTENCY_IN_PROGRESS: async (world, operation) => {
    const begun = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const { host } = world;
    const engine: EngineHost = {
      ...host,
      answer: async (task, options) => {
        if (task.step === "answer") {
          begun.resolve();
          await release.promise;
        }
        return host.answer(task, options);
      },
    };
    const app = world.app({ engine });
    const first = world.ask(operation, keyed, app);
    await begun.promise;
    const second = await world.refused(operation, keyed, app);
    release.resolve();
    await first;
    return second;
  },
  IDEMPOTENCY_KEY_CONFLICT: (world, operation) => {
    const other = operation.id === "createRuleset" ? { name: "other-plots" } : { reference_id: "plot-2" };
    return world.refusedAfter(operation, 1, keyed, { ...keyed, body: { ...operation.body, ...other } });
  },
  IDEMPOTENCY_KEY_EXHAUSTED: (world, operation) => world.refusedAfter(operation, 101, keyed),
  IDEMPOTENCY_KEY_INVALID: (world, operation) =>
    world.refused(operation, { headers: { "Idempotency-Key": "plot 1" } }),
  IDEMPOTENCY_KEY_REQUIRED: (world, operation) =>
    world.refused(operation, { headers: { "Idempotency-Key": "" } }),
  IDEMPOTENCY_REPLAY_EXPIRED: async (world, operation) => {
    await world.ask(operation, keyed);
    world.clock.advance(DAY_MS + 1);
    return world.refused(operation, keyed);
  },
  INPUT_INCOMPLETE: (world, operation) =>
    world.refused(operation, { body: { input: { scheme }, ruleset: RULESET } }),
  INTERNAL_ERROR: (world, operation) => {
    const onRequest = (): void => {
      throw new Error("a bug");
    };
    return world.refused(operation, {}, world.app({ onRequest }));
  },
  JOB_EXPIRED: async (world, operation) => {
    const { id } = await createWorldJob(world, IDEMPOTENCY_KEY);
    world.clock.advance(36 * DAY_MS);
    return world.refused(operation, { path: operation.path.replace("job_none", id) });
  },
  JOB_LIMIT_REACHED: async (world, operation) => {
    for (const key of ["harvest-1", "harvest-2"]) await createWorldJob(world, key);
    return world.refused(operation);
  },
  JOB_NOT_FOUND: (world, operation) => world.refused(operation),
  MALFORMED_JSON: (world, operation) => world.refused(operation, { body: '{"input": {"geometry": }}' }),
  MALFORMED_REQUEST: (world, { method, path }) => sendRawMessage(world, `${method} ${path} HTTP/1.1\r\n\r\n`),
  NOT_ACCEPTABLE: (world, operation) => world.refused(operation, { headers: { Accept: "image/png" } }),
  NOT_FOUND: (world, operation) => {
    if (operation.id === "sourceTile")
      return world.refused(operation, { path: "/v1/sources/demo:parks/tiles/15/0/0" });
    // Where there are no guides, there is no list of them.
    return world.refused(operation, {}, world.app(operation.id === "guides" ? { guides: "/nowhere" } : {}));
  },
  OUTCOME_UNKNOWN: async (world, operation) => {
    const { path } = operation;
    const ofJob =
      operation.id === "cancelJob" ? (await createWorldJob(world, IDEMPOTENCY_KEY)).id : "job_none";
    const store = world.failingStore("OUTCOME_UNKNOWN", [
      "settle",
      "createJob",
      "createRuleset",
      "cancelJob",
    ]);
    return world.refused(operation, { path: path.replace("job_none", ofJob) }, world.app({ store }));
  },
  OVERLOADED: (world, operation) => {
    const none = { ...DEFAULT_ADMISSION, places: 0, waiting: 0 };
    return world.refused(
      operation,
      {},
      world.app({ admission: none, readAdmission: none, tileAdmission: none }),
    );
  },
  PAYLOAD_TOO_LARGE: (world, operation) =>
    world.refused(operation, { headers: { "Content-Length": String(2 ** 30) } }),
  QUOTA_EXCEEDED: async (world, operation) => {
    const Authorization = `Bearer ${await world.key("test")}`;
    if (operation.id === "createJob") {
      const [organization] = await world.store.listOrganizations({});
      await world.store.setQuota({ scope: { organization: organization!.id, mode: "test" }, quota: 0 });
      return world.refused(operation, { headers: { Authorization } });
    }
    return world.refusedAfter(operation, 1, { headers: { Authorization } });
  },
  RATE_LIMIT_EXCEEDED: async (world, operation) => {
    const app = world.app();
    const me: Operation = { id: "me", method: "GET", codes: [], path: "/v1/me" };
    for (let i = 0; i < 100; i++) await world.ask(me, {}, app);
    return world.refused(operation, {}, app);
  },
  REQUEST_TIMEOUT: async (world, { method, path }) => {
    const key = await world.key();
    const headers = [`Authorization: Bearer ${key}`, "Content-Type: application/json", "Content-Length: 99"];
    return sendRawMessage(
      world,
      `${method} ${path} HTTP/1.1\r\nHost: x\r\n${headers.join("\r\n")}\r\n\r\n{"input"`,
      1,
    );
  },
  RESULT_TOO_LARGE: (world, operation) =>
    world.refused(operation, {}, world.app({ limits: { resultBytes: 200 } })),
  RULESET_ALREADY_EXISTS: (world, operation) =>
    world.refusedAfter(operation, 1, { body: { ...operation.body, version: 1 } }),
  RULESET_INVALID: (world, operation) =>
    world.refused(operation, {
      body: buildBodyWithRuleset(operation, {
        checks: [{ id: "parks", set: "park", outcome: "NON_COMPLIANT" }],
      }),
    }),
  RULESET_NOT_FOUND: (world, operation) => {
    const { ruleset: _, ...body } = { ruleset: undefined, ...operation.body };
    return operation.body === undefined
      ? world.refused(operation)
      : world.refused(operation, { body: { ...body, ruleset_id: "forest-plots@1" } });
  },
  SCHEME_UNSUPPORTED: (world, operation) =>
    world.refused(operation, {
      body: buildBodyWithInput(operation, { scheme: { type: "us:ein", value: "12-3456789" } }),
    }),
  SCOPE_INSUFFICIENT: async (world, operation) => {
    const scope = operation.path.startsWith("/v1/rulesets") ? "evaluate" : "catalog:read";
    const Authorization = `Bearer ${await world.key("live", [scope])}`;
    return world.refused(operation, { headers: { Authorization } });
  },
  SNAPSHOT_CORRUPT: (world, operation) =>
    world.refused(
      operation,
      {},
      world.app({ engine: hostInProcess(() => createSmallWorld(["demo:parks"])) }),
    ),
  SOURCE_UNKNOWN: (world, operation) => {
    switch (operation.id) {
      case "sourceTile":
        return world.refused(operation, { path: "/v1/sources/demo:park/tiles/0/0/0" });
      case "intersections":
      case "distance":
        return world.refused(operation, { body: { ...operation.body, reference_areas_source: "demo:park" } });
      case "subjects":
        return world.refused(operation, { body: { ...operation.body, subject_source: "demo:sanction" } });
      default: {
        const sets = { ...RULESET.sets, parks: { sources: ["demo:park"] } };
        return world.refused(operation, { body: buildBodyWithRuleset(operation, { sets }) });
      }
    }
  },
  STORAGE_UNAVAILABLE: (world, operation) => {
    const store = world.failingStore("STORAGE_UNAVAILABLE", ["findApiKey"]);
    return world.refused(operation, {}, world.app({ store }));
  },
  SUBSCRIPTION_INACTIVE: async (world, operation) => {
    await setSubscription({ store: world.store }, "Example", "suspended");
    return world.refused(operation);
  },
  TRANSFER_ENCODING_UNSUPPORTED: (world, { method, path }) =>
    sendRawMessage(
      world,
      `${method} ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n`,
    ),
  UNCHARGED_LIMIT_REACHED: (world, operation) => {
    const engine = hostInProcess(() => createSmallWorld(["demo:parks", "demo:sanctions"]));
    const ports = { store: world.store, mintDecisionId: () => "dec_1", sleep: async () => {} };
    const charging = createCharging(ports, { unchargedLimit: 0 });
    return world.refused(operation, {}, world.app({ engine, charging }));
  },
  UNSUPPORTED_MEDIA_TYPE: (world, operation) =>
    world.refused(operation, { headers: { "Content-Type": "text/plain" } }),
  VALIDATION_FAILED: (world, operation) =>
    operation.body === undefined
      ? world.refused(operation, { query: "?pages=2" })
      : world.refused(operation, { body: { ...operation.body, reference: "plot-1" } }),
};

async function createWorldJob(world: World, key: string): Promise<{ readonly id: string }> {
  const job = toOperation(OPERATIONS.find(({ id }) => id === "createJob")!);
  const response = await world.ask(job, { headers: { "Idempotency-Key": key } });
  const { data } = (await response.json()) as { readonly data: { readonly id: string } };
  return data;
}

/**
 * Sends a message as it is, and reads the problem that comes before the end of the connection.
 *
 * @param timeoutMs that the message has to arrive; absent: as the service has it
 */
async function sendRawMessage(world: World, message: string, timeoutMs?: number): Promise<Problem> {
  const server: Server = createHardenedServer(world.app().fetch, {
    outbox: new Outbox(),
    cors: new Cors([]),
    turns: new ConnectionTurns(),
    onTurn: () => {},
  });
  if (timeoutMs !== undefined) server.requestTimeout = timeoutMs;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let heard = "";
  socket.on("data", (data: Buffer) => {
    heard += data.toString();
  });
  const ended = once(socket, "close");
  socket.write(message);
  await ended;
  server.close();
  return parseTidyProblem(heard.slice(heard.indexOf("\r\n\r\n")));
}
