import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createAreaWriter, createRegisterWriter, type SnapshotFile } from "@groundrule/engine/build";
import { mulberry32 } from "@groundrule/testing/random";
import { LISTED_CNPJ } from "@groundrule/testing/small-world";
import { createKey } from "../../src/admin/api-keys.ts";
import { createOrganization } from "../../src/admin/organizations.ts";
import type { KeyMode } from "../../src/ledger/scope.ts";
import type { Store } from "../../src/store/port/port.ts";
import { computeQuantile, requireNothingOver, roundToTenth } from "../attacks/figures.ts";
import { type Exchanged, exchangeRequest } from "../exchange.ts";
import { buildLongestPath, PLAIN_READS } from "../operations.ts";
import { type ServedProcess, withServedProcess } from "../served-process.ts";
import { PEPPER } from "../service.ts";
import { withStore } from "../store-places.ts";
import { withTemporaryFolder } from "../temporary-folder.ts";
import {
  type Description,
  listTextPlaces,
  makeRuleset,
  PLOT,
  type Place,
  type Request,
  SCHEME,
} from "./attempts.ts";

const KEYS_PER_MODE = 3;
/** Number of other organizations that may try an id at a place, in addition to the other mode of its own. */
const STRANGERS = 3;
const AT_ONCE = 16;
const CODE_LENGTH = 16;
const MOST_ABANDONED = 100;

/** An organization in one mode, with everything of it that somebody else might get at. */
interface Tenant {
  readonly organization: string;
  readonly mode: KeyMode;
  readonly keys: readonly string[];
  /** Begins every name that this tenant chose; the organization's sources have a code of their own. */
  readonly code: string;
  readonly sourceCode: string;
  /** The attempt of another organization. */
  readonly ids: string[];
  /** First answers under the keys that everybody uses. */
  readonly shared: { readonly request: Request; readonly answer: Exchanged }[];
  charged: number;
}

export interface IsolationOptions {
  /** How many try each id at each place. Default the other mode and three strangers. */
  readonly triers: number;
  /** One in this many attempts is made, the first at random. Default 1: all. */
  readonly oneOf: number;
  /** Greatest ratio of the median times of 404s for what somebody has and for what nobody has. */
  readonly timingRatio: number;
  readonly timedPairs: number;
}

/**
 * T-23. Organizations in both modes, with the same names and idempotency keys everywhere; every id of
 * each is tried by others at every place of every described route, its own other mode among them.
 *
 * Each attempt is made twice: with the id, and with one of the same form that nobody has. Both must be
 * answered alike; no answer may hold a name that neither its tenant nor the attempt brought in; and in
 * the end each tenant has been charged for what it asked.
 */
export function tryEachOther(
  organizations: number,
  seed: number,
  {
    triers = 1 + STRANGERS,
    oneOf = 1,
    timingRatio = 1.25,
    timedPairs = 2_000,
  }: Partial<IsolationOptions> = {},
): Promise<object> {
  return withTemporaryFolder(async (dir) => {
    const url = `sqlite:${join(dir, "isolation.db")}`;
    const random = mulberry32(seed);
    const codes = Array.from({ length: organizations }, () => makeRandomCode(random));
    return withServedProcess({ editions: makeTenantEditions(codes), store: url }, async (served) => {
      return withStore(url, async (store) => {
        const tenants = await createTenants(store, codes, random);
        const run = new Isolation(served, tenants, random);
        await runConcurrently(tenants, (tenant) => run.settleIn(tenant));
        await runConcurrently(tenants, (tenant) => run.replayShared(tenant));
        const described = await fetch(`${served.url}/openapi.json`);
        const places = listTextPlaces((await described.json()) as Description);
        // Requests that leave something behind come last: until then no organization has sent a name of another.
        await run.attempt(
          places.filter(({ isRead }) => isRead),
          triers,
          oneOf,
        );
        const timing = await run.timeRefusals(timedPairs);
        for (const [name, ratio] of Object.entries(timing.ratios)) {
          if (ratio > timingRatio || ratio < 1 / timingRatio)
            run.over.push(`time of ${name}: ratio ${ratio}`);
        }
        await run.readEverything();
        await run.attempt(
          places.filter(({ isRead }) => !isRead),
          triers,
          oneOf,
        );
        await run.checkLedgers(store);
        // A request id is the caller's own choice, for the log too.
        if (/zq[a-z]{16}(?!-request)/.test(served.log()))
          run.over.push("T-47: the log holds a tenant's names");
        const figures = {
          tenants: tenants.length,
          keys: tenants.length * KEYS_PER_MODE,
          places: places.length,
          attempts: run.attempts,
          answers: Object.fromEntries([...run.statuses].sort()),
          "asked again, given up before": run.gaveUp,
          charged: tenants.reduce((sum, { charged }) => sum + charged, 0),
          timing: timing.shown,
        };
        return requireNothingOver(
          figures,
          [`SEED=${seed}`, ...run.over].slice(run.over.length === 0 ? 1 : 0),
        );
      });
    });
  });
}

/** Every name has one in it: letters alone, so that any two are equally unlike. */
function makeRandomCode(random: () => number): string {
  const letters = Array.from({ length: CODE_LENGTH }, () =>
    String.fromCharCode(97 + Math.floor(random() * 26)),
  );
  return `zq${letters.join("")}`;
}

function makeTenantEditions(codes: readonly string[]): SnapshotFile[] {
  const square = Float64Array.of(0, 0, 0.1, 0, 0.1, 0.1, 0, 0.1, 0, 0);
  const editions: SnapshotFile[] = [];
  for (const [prefix, name] of [
    ["demo:parks", "demo:sanctions"],
    ...codes.map((code) => [`${code}:areas`, `${code}:list`]),
  ]) {
    const areas = createAreaWriter({ source_name: prefix!, kind: "leaf", columns: {} });
    const text = prefix === "demo:parks" ? "Park" : `${prefix!.split(":")[0]}-park`;
    areas.add({ id: "p1", name: text, countryIso3: "BRA", polygons: [[square]], properties: {} });
    const list = createRegisterWriter({
      source_name: name!,
      kind: "subject_register",
      scheme: "br:cnpj",
      columns: {},
    });
    const identifiers = [{ scheme: "br:cnpj", value: LISTED_CNPJ }];
    list.add({ id: "s1", name: `${text}-listed`, properties: {}, identifiers });
    editions.push(areas.finish(), list.finish());
  }
  return editions;
}

async function createTenants(
  store: Store,
  codes: readonly string[],
  random: () => number,
): Promise<Tenant[]> {
  const ports = { store, pepper: PEPPER };
  const tenants: Tenant[] = [];
  for (const sourceCode of codes) {
    const { id: organization } = await createOrganization(ports, {
      name: sourceCode,
      liveQuota: 1_000_000,
      testQuota: 1_000_000,
      sources: ["demo:*", `${sourceCode}:*`],
    });
    for (const mode of ["live", "test"] as const) {
      const keys: string[] = [];
      // Operations of both modes are tried once.
      const ids: string[] = mode === "live" ? [organization] : [];
      const code = makeRandomCode(random);
      for (let i = 0; i < KEYS_PER_MODE; i++) {
        const { key, stored } = await createKey(ports, { organization, mode, name: `${code}-key${i}` });
        keys.push(key);
        if (i === 0) ids.push(stored.id);
      }
      tenants.push({ organization, mode, keys, code, sourceCode, ids, shared: [], charged: 0 });
    }
  }
  return tenants;
}

class Isolation {
  readonly over: string[] = [];
  readonly statuses = new Map<string, number>();
  attempts = 0;
  gaveUp = 0;
  readonly #served: ServedProcess;
  readonly #tenants: readonly Tenant[];
  readonly #random: () => number;
  /** Whose a name is: begins with the code, or was minted by the service. */
  readonly #owners = new Map<string, Tenant | string>();

  constructor(served: ServedProcess, tenants: readonly Tenant[], random: () => number) {
    this.#served = served;
    this.#tenants = tenants;
    this.#random = random;
    for (const tenant of tenants) {
      this.#owners.set(tenant.code, tenant);
      this.#owners.set(tenant.sourceCode, tenant.organization);
      this.#owners.set(tenant.organization, tenant.organization);
      for (const id of tenant.ids) if (id !== tenant.organization) this.#owners.set(id, tenant);
    }
  }

  /** Gives a tenant rulesets and decisions, under names of its own and under those that all have. */
  async settleIn(tenant: Tenant): Promise<void> {
    const { code, sourceCode, ids } = tenant;
    const own = makeRuleset(`${sourceCode}:areas`, `${sourceCode}:list`, `${code}-why`);
    for (const name of [`${code}-rules`, `${code}-rules`, "shared"]) {
      const created = await this.#send(tenant, createPostRequest("/v1/rulesets", { name, ...own }));
      assert.equal(created.status, 201, created.text);
    }
    ids.push(`${code}-rules`, `${code}-rules@1`);
    // The last is all but a name: it must not be completed for who has no right to know it.
    if (tenant.mode === "live")
      for (const name of ["areas", "list", "area"]) ids.push(`${sourceCode}:${name}`);
    const input = { geometry: PLOT, scheme: SCHEME };
    // The same keys everywhere, the same bodies everywhere.
    for (const request of [
      createPostRequest("/v1/evaluate", { input, ruleset_id: "shared" }, "shared-key-1"),
      createPostRequest("/v1/intersections", { input: { geometry: PLOT } }, "shared-key-2"),
      createPostRequest("/v1/distance", { input: { geometry: PLOT, max_distance_m: 10 } }, "shared-key-3"),
      createPostRequest("/v1/subjects", { input: { scheme: SCHEME } }, "shared-key-4"),
    ]) {
      const answer = await this.#charge(tenant, request);
      tenant.shared.push({ request, answer });
    }
    // A row that a caller can name in part, the rest of it a secret; and one that nobody ever names.
    for (const [known, reference, requestId, key] of [
      [true, `${code}-case`, `${code}-requestsecret`, `${code}-keysecret`],
      [true, `${code}-casesecret`, `${code}-request`, `${code}-keyhidden`],
      [true, `${code}-casehidden`, `${code}-requesthidden`, `${code}-key`],
      [false, `${code}-caseunsaid`, `${code}-requestunsaid`, `${code}-keyunsaid`],
    ] as const) {
      const body = { input, ruleset_id: `${code}-rules@2`, reference_id: reference };
      const answer = await this.#charge(tenant, createPostRequest("/v1/evaluate", body, key, requestId));
      if (known) ids.push(String(answer.headers["x-decision-id"]));
    }
    ids.push(`${code}-case`, `${code}-request`, `${code}-key`);
    await this.#runJob(tenant);
  }

  /** A job under a key that everybody uses; its one plot is charged. */
  async #runJob(tenant: Tenant): Promise<void> {
    const { code, ids } = tenant;
    const feature = { type: "Feature", id: `${code}-plot`, geometry: PLOT, properties: { scheme: SCHEME } };
    const plots = { type: "FeatureCollection", features: [feature] };
    const created = await this.#send(
      tenant,
      createPostRequest("/v1/jobs", { ruleset_id: `${code}-rules@1`, plots }, "shared-job"),
    );
    assert.equal(created.status, 202, created.text);
    const { id } = JSON.parse(created.text).data as { id: string };
    this.#owners.set(id, tenant);
    for (;;) {
      const {
        status,
        plots: total,
        answered,
      } = JSON.parse((await this.#send(tenant, createGetRequest(`/v1/jobs/${id}`))).text).data;
      if (status === "done") {
        assert.equal(answered, total);
        break;
      }
      await sleep(50);
    }
    tenant.charged++;
    const { text } = await this.#send(tenant, createGetRequest(`/v1/jobs/${id}/results`));
    this.#owners.set(/dec_[0-9a-f]+/.exec(text)![0], tenant);
    ids.push(id);
  }

  /** Requests that all organizations sent under the same key are replayed to each with its own answer. */
  async replayShared(tenant: Tenant): Promise<void> {
    for (const { request, answer } of tenant.shared) {
      const replay = await this.#send(tenant, request);
      const decision = String(replay.headers["x-decision-id"]);
      if (
        replay.headers["idempotent-replayed"] !== "true" ||
        replay.text !== answer.text ||
        this.#owners.get(decision) !== tenant
      ) {
        this.over.push(`${tenant.code} was replayed another answer at ${request.path}`);
      }
    }
  }

  /** Deals the ids of each tenant out to others: every id is tried at every place. */
  async attempt(places: readonly Place[], triers: number, oneOf: number): Promise<void> {
    const all = this.#tenants.flatMap((owner) => {
      const others = this.#tenants.filter(({ organization }) => organization !== owner.organization);
      const twin = this.#tenants.find(
        (tenant) => tenant.organization === owner.organization && tenant !== owner,
      );
      const first = Math.floor(this.#random() * others.length);
      return places.flatMap((place, i) =>
        owner.ids.flatMap((id, j) => {
          const turn = first + (i * owner.ids.length + j) * STRANGERS;
          const strangers = Array.from(
            { length: Math.min(STRANGERS, others.length) },
            (_, k) => others[(turn + k) % others.length]!,
          );
          // Sources, and the organization's id, are of both modes.
          const isCommon = id.startsWith(owner.sourceCode) || id === owner.organization;
          const who = twin === undefined || isCommon ? strangers : [twin, ...strangers];
          const dealt = Array.from(
            { length: Math.min(triers, who.length) },
            (_, k) => who[(i + j + k) % who.length]!,
          );
          return dealt.map((tenant) => ({ tenant, place, id }));
        }),
      );
    });
    const begin = Math.floor(this.#random() * oneOf);
    const attempts = all.filter((_, i) => i % oneOf === begin);
    // One after the other for each who tries: what it sent before, under a key say, is then the same
    // for the id and for its like.
    await runConcurrently([...Map.groupBy(attempts, ({ tenant }) => tenant).values()], async (ofOne) => {
      for (const { tenant, place, id } of ofOne) {
        const nobodys = this.#unknownLike(id);
        const foreign = await this.#attemptOne(tenant, place, id);
        const unknown = await this.#attemptOne(tenant, place, nobodys);
        const [a, b] = [normaliseAnswer(foreign, id), normaliseAnswer(unknown, nobodys)];
        if (a !== b) this.over.push(`${place.name} tells ${id} from ${nobodys}:\n  ${a}\n  ${b}`);
      }
    });
  }

  async #attemptOne(tenant: Tenant, place: Place, id: string): Promise<Exchanged> {
    const request = place.requestWith(id);
    const answer = await this.#send(tenant, request, id);
    this.attempts++;
    const { status, text } = answer;
    const [code] = /(?<="code":")[A-Z_]+/.exec(text) ?? [];
    const outcome = `${status}${status < 300 ? "" : ` ${code}`}`;
    this.statuses.set(outcome, (this.statuses.get(outcome) ?? 0) + 1);
    if (status >= 500) this.over.push(`${place.name} with ${id}: ${outcome}`);
    if (answer.headers["idempotent-replayed"] !== undefined) this.over.push(`${place.name} replayed ${id}`);
    if (answer.headers["x-decision-id"] !== undefined) tenant.charged++;
    if (status < 300 && place.isRead && place.operationId !== "validate" && !/"items":\[\]/.test(text)) {
      this.over.push(`${place.name} with ${id} found ${text.slice(0, 200)}`);
    }
    // An operation that validates a ruleset answers either way.
    const isTaken =
      place.operationId === "validate" ? text.includes('"ruleset":{"valid":true') : status < 300;
    if (place.names && isTaken) this.over.push(`${place.name} took ${id}`);
    return answer;
  }

  /** Medians of refusals for what another tenant has and for what nobody has, taken by turns. */
  async timeRefusals(pairs: number): Promise<{ shown: object; ratios: Record<string, number> }> {
    const shown: Record<string, string> = {};
    const ratios: Record<string, number> = {};
    const [owner] = this.#tenants;
    const stranger = this.#tenants.at(-1)!;
    const decision = owner!.ids.find((id) => id.startsWith("dec_"))!;
    const question = (ruleset_id: string) =>
      createPostRequest("/v1/evaluate", { input: { geometry: PLOT }, ruleset_id });
    const routes: [string, string, (id: string) => Request][] = [
      ["GET /v1/decisions/{id}", decision, (id) => createGetRequest(`/v1/decisions/${id}`)],
      ["GET /v1/rulesets/{name}", `${owner!.code}-rules`, (id) => createGetRequest(`/v1/rulesets/${id}`)],
      ["GET /v1/rulesets/{name}/1", `${owner!.code}-rules`, (id) => createGetRequest(`/v1/rulesets/${id}/1`)],
      ["POST /v1/evaluate", `${owner!.code}-rules`, question],
      [
        "GET /v1/jobs/{id}",
        owner!.ids.find((id) => id.startsWith("job_"))!,
        (id) => createGetRequest(`/v1/jobs/${id}`),
      ],
    ];
    for (const [name, id, requestOf] of routes) {
      const times: [number[], number[]] = [[], []];
      for (let i = 0; i < pairs; i++) {
        const isForeignFirst = this.#random() < 0.5;
        for (const isForeign of [isForeignFirst, !isForeignFirst]) {
          // An id of its own each time: that one was asked for before must not help the other.
          const request = requestOf(isForeign ? id : this.#unknownLike(id, i));
          const { status, milliseconds } = await this.#send(stranger, request, id);
          assert.equal(status, 404);
          times[isForeign ? 0 : 1].push(milliseconds);
        }
      }
      const [foreign, unknown] = times.map((of) => computeQuantile(of, 0.5)) as [number, number];
      ratios[name] = Math.round((foreign / unknown) * 1_000) / 1_000;
      shown[name] =
        `${roundToTenth(foreign * 1_000)} µs another's, ${roundToTenth(unknown * 1_000)} µs nobody's, ratio ${ratios[name]}`;
    }
    return { shown, ratios };
  }

  /** Each tenant's lists, whole: all of its own, nothing else's; and what takes no key. */
  async readEverything(): Promise<void> {
    await runConcurrently(this.#tenants, async (tenant) => {
      for (const operation of PLAIN_READS.filter(({ key }) => key !== "none")) {
        const { path } = operation;
        const { status, text } = await this.#send(tenant, createGetRequest(buildLongestPath(operation)));
        assert.equal(status, 200);
        if (path === "/v1/rulesets" && JSON.parse(text).data.pagination.total_count !== 3) {
          this.over.push(`${tenant.code} has other rulesets than its own`);
        }
        if (path === "/v1/jobs" && JSON.parse(text).data.pagination.total_count !== 1) {
          this.over.push(`${tenant.code} has other jobs than its own`);
        }
        if (path === "/v1/sources" && JSON.parse(text).data.items.length !== 4) {
          this.over.push(`${tenant.code} has other sources than its own`);
        }
      }
      await this.#askForOthersRules(tenant);
    });
    for (const { path } of PLAIN_READS.filter(({ key }) => key === "none")) {
      const text = await (await fetch(this.#served.url + path)).text();
      // Sources' names are for whoever runs the service, who alone reads its metrics.
      const names =
        path === "/metrics"
          ? /zq[a-z]{16}-|dec_|job_[0-9a-f]{8}|org_|key_[0-9a-f]{8}/
          : /zq[a-z]{16}|org_[0-9a-f]{8}/;
      if (names.test(text)) this.over.push(`${path} holds a tenant's names`);
    }
  }

  /** A job cannot be judged by a ruleset of another's, nor hear that there is one. */
  async #askForOthersRules(tenant: Tenant): Promise<void> {
    const plots = {
      type: "FeatureCollection",
      features: [{ type: "Feature", geometry: PLOT, properties: {} }],
    };
    const others = this.#tenants.filter((other) => other !== tenant);
    for (const name of [`${others[0]!.code}-rules`, this.#unknownLike(`${tenant.code}-rules`)]) {
      const { status, text } = await this.#send(
        tenant,
        createPostRequest("/v1/jobs", { ruleset_id: name, plots }, "others-job"),
        name,
      );
      if (status !== 404 || !text.includes('"RULESET_NOT_FOUND"')) {
        this.over.push(`${tenant.code} asked for a job by ${name}: ${status} ${text}`);
      }
    }
  }

  /** Each organization was charged for its own requests. */
  async checkLedgers(store: Store): Promise<void> {
    for (const tenant of this.#tenants) {
      const { organization, mode, charged } = tenant;
      const used = (await store.usage({ scope: { organization, mode } }))?.period.used;
      if (used !== charged) this.over.push(`${tenant.code} asked for ${charged} and was charged ${used}`);
    }
    for (const { message } of await store.findViolations({ extent: "all" })) this.over.push(message);
  }

  async #charge(tenant: Tenant, request: Request): Promise<Exchanged> {
    const answer = await this.#send(tenant, request);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers["idempotent-replayed"], undefined);
    this.#owners.set(String(answer.headers["x-decision-id"]), tenant);
    tenant.charged++;
    return answer;
  }

  /** @param tried what of another's is in the request */
  async #send(tenant: Tenant, request: Request, tried?: string): Promise<Exchanged> {
    const key = tenant.keys[Math.floor(this.#random() * KEYS_PER_MODE)]!;
    const headers = {
      Authorization: `Bearer ${key}`,
      "X-Request-Id": "same",
      "Content-Type": "application/json",
      ...request.headers,
    };
    const ask = () => exchangeRequest(this.#served.url + request.path, request.method, headers, request.body);
    let answer = await ask();
    // A machine with other work may give a question up: nothing has come of it then, and it is asked again.
    while (isForLater(answer) && this.gaveUp++ < MOST_ABANDONED) {
      await sleep(200);
      answer = await ask();
    }
    // A refusal may repeat what was sent, whole and as it was sent.
    const encoded = tried === undefined ? "" : encodeURIComponent(tried);
    const shown = `${JSON.stringify(answer.headers)}${answer.text}`.replaceAll(encoded || "\0", tried ?? "");
    for (const [name] of shown.matchAll(NAMES)) {
      const owner = this.#owners.get(/^zq[a-z]{16}/.exec(name)?.[0] ?? name);
      const isOwn = owner === undefined || owner === tenant || owner === tenant.organization;
      if (!isOwn && !(tried === name || tried?.startsWith(`${name}@`))) {
        this.over.push(
          `${request.method} ${request.path} showed ${name} to ${tenant.code}, who sent ${tried}`,
        );
      }
    }
    return answer;
  }

  /** A name of the same form that nobody has. */
  #unknownLike(id: string, turn = 0): string {
    const shifted = (digit: string) => ((Number.parseInt(digit, 16) + 5 + turn) % 16).toString(16);
    if (!id.startsWith("zq"))
      return id.replace(/[0-9a-f]{16}$/, (digits) => digits.replaceAll(/./g, shifted));
    const letter = (character: string) =>
      String.fromCharCode(97 + ((character.charCodeAt(0) - 97 + 7 + turn) % 26));
    return `zq${id.slice(2, 2 + CODE_LENGTH).replaceAll(/./g, letter)}${id.slice(2 + CODE_LENGTH)}`;
  }
}

function isForLater({ status, text }: Exchanged): boolean {
  return status === 503 || text.includes('"code":"IDEMPOTENCY_IN_PROGRESS"');
}

const NAMES = /zq[a-z]{16}(?:[:-][a-z0-9]+)?|dec_[0-9a-f]+|job_[0-9a-f]{8,}|org_[0-9a-f]+|key_[0-9a-f]{8,}/g;

function createGetRequest(path: string): Request {
  return { method: "GET", path, headers: {} };
}

function createPostRequest(path: string, body: object, key?: string, requestId?: string): Request {
  const headers = {
    ...(key !== undefined && { "Idempotency-Key": key }),
    ...(requestId !== undefined && { "X-Request-Id": requestId }),
  };
  return { method: "POST", path, headers, body: JSON.stringify(body) };
}

/** An answer without what differs from one to the next whatever was asked. */
function normaliseAnswer({ status, text, headers }: Exchanged, id: string): string {
  const type = String(headers["content-type"]);
  return (
    `${status} ${type} ${text}`
      .replaceAll(encodeURIComponent(id), "ID")
      .replaceAll(id, "ID")
      // As an identifier it is answered in its canonical form.
      .replaceAll(id.replaceAll(/[\s./()-]/g, "").toUpperCase(), "ID")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
      .replaceAll(/dec_[0-9a-f]+/g, "DECISION")
      .replaceAll(/\b[0-9a-f]{64}\b/g, "DIGEST")
      .replaceAll(/"ruleset":"created","version":\d+/g, "CREATED")
  );
}

async function runConcurrently<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of rest) await work(item);
    }),
  );
}
