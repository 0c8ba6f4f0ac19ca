import type { Scope } from "../../../ledger/scope.ts";
import type { Input, KeyHolder, NewApiKey, StoredApiKey } from "../../port/port.ts";
import { StoreError } from "../../port/store-error.ts";
import {
  type Operation,
  queryFirstRow,
  queryRows,
  readNow,
  run,
  type Statement,
  sql,
} from "../../sql/operation.ts";
import { openGate } from "../charges/gate.ts";
import { buildScopeCondition, lockLedger } from "../charges/ledger.ts";

/** Maximum keys in force: more suggest that nobody retires old keys. */
const KEY_LIMIT = 10;

export function* createApiKey(input: NewApiKey): Operation<StoredApiKey> {
  const { nowMs } = yield* lockLedger({ organization: input.organization, mode: input.mode });
  const keys = yield* listApiKeys({ organization: input.organization });
  const inForce = keys.filter((key) => key.mode === input.mode && isInForce(key, nowMs));
  if (inForce.length >= KEY_LIMIT) {
    throw new StoreError(
      "KEY_LIMIT_REACHED",
      `the organization has ${inForce.length} valid ${input.mode} keys, and the limit is ${KEY_LIMIT}; revoke one`,
      { found: inForce.length, allowed: KEY_LIMIT },
    );
  }
  return yield* insertApiKey(input, nowMs);
}

function* insertApiKey(input: NewApiKey, nowMs: number): Operation<StoredApiKey> {
  const expiresAtMs = input.lifetimeMs === null ? null : nowMs + input.lifetimeMs;
  yield* run(sql`
    INSERT INTO api_key (id, organization, mode, name, digest, pepper_version, hint, scopes, created_at_ms,
      expires_at_ms)
    VALUES (${input.id}, ${input.organization}, ${input.mode}, ${input.name}, ${input.digest},
      ${input.pepperVersion}, ${input.hint}, ${input.scopes.join(" ")}, ${nowMs}, ${expiresAtMs})`);
  return yield* getApiKey(input.id);
}

export function* rotateApiKey({
  id,
  successor,
  overlapMs,
}: Input<"rotateApiKey">): Operation<{ retiring: StoredApiKey; successor: StoredApiKey }> {
  const { nowMs } = yield* lockLedger(yield* getKeyScope(id));
  const old = yield* getApiKey(id);
  if (!isInForce(old, nowMs)) {
    throw new StoreError("KEY_UNKNOWN", `key "${id}" is no longer valid; create a new key`, { id });
  }
  const { organization, mode, name, scopes } = old;
  const made = yield* insertApiKey({ ...successor, organization, mode, name, scopes }, nowMs);
  const endsAtMs = Math.min(old.expiresAtMs ?? Number.MAX_SAFE_INTEGER, nowMs + overlapMs);
  yield* run(sql`
    UPDATE api_key SET expires_at_ms = ${endsAtMs}, successor_id = ${successor.id} WHERE id = ${id}`);
  return { retiring: yield* getApiKey(id), successor: made };
}

export function* revokeApiKey({ id }: Input<"revokeApiKey">): Operation<StoredApiKey> {
  const { nowMs } = yield* lockLedger(yield* getKeyScope(id));
  yield* run(sql`UPDATE api_key SET revoked_at_ms = ${nowMs} WHERE id = ${id} AND revoked_at_ms IS NULL`);
  return yield* getApiKey(id);
}

export function* findApiKey({ digest }: Input<"findApiKey">): Operation<StoredApiKey | undefined> {
  return (yield* selectApiKeysWhere(sql`digest = ${digest}`))[0];
}

export function* findHolder({ scope, keyId }: Input<"findHolder">): Operation<KeyHolder | undefined> {
  const [key] = yield* selectApiKeysWhere(sql`id = ${keyId} AND ${buildScopeCondition(scope)}`);
  const gate = yield* openGate({ scope, key: null });
  const organization = yield* queryFirstRow<{ name: string }>(
    sql`SELECT name FROM organization WHERE id = ${scope.organization}`,
  );
  if (key === undefined || gate === undefined || organization === undefined) return undefined;
  const { subscription, period } = gate;
  return { key, organizationName: organization.name, subscription, period };
}

export function* listApiKeys({ organization }: Input<"listApiKeys">): Operation<readonly StoredApiKey[]> {
  return yield* selectApiKeysWhere(sql`organization = ${organization}`);
}

function isInForce(key: StoredApiKey, nowMs: number): boolean {
  return key.revokedAtMs === null && (key.expiresAtMs === null || nowMs < key.expiresAtMs);
}

function* getKeyScope(id: string): Operation<Scope> {
  const scope = yield* queryFirstRow<Scope>(sql`SELECT organization, mode FROM api_key WHERE id = ${id}`);
  if (scope === undefined) throw new StoreError("KEY_UNKNOWN", `no key has the id "${id}"`, { id });
  return scope;
}

function* getApiKey(id: string): Operation<StoredApiKey> {
  const [key] = yield* selectApiKeysWhere(sql`id = ${id}`);
  if (key === undefined) throw new Error(`key ${id} vanished while its ledger was locked`);
  return key;
}

function* selectApiKeysWhere(condition: Statement): Operation<readonly StoredApiKey[]> {
  const found = yield* queryRows<
    Omit<StoredApiKey, "scopes" | "sources" | "nowMs"> & { scopes: string; sources: string }
  >(sql`
    SELECT id, organization, mode, name, digest, pepper_version AS "pepperVersion", hint, scopes,
      created_at_ms AS "createdAtMs", expires_at_ms AS "expiresAtMs", revoked_at_ms AS "revokedAtMs",
      last_used_at_ms AS "lastUsedAtMs", successor_id AS "successorId",
      (SELECT sources FROM organization WHERE organization.id = api_key.organization) AS sources
    FROM api_key WHERE ${condition} ORDER BY created_at_ms, id`);
  const nowMs = yield* readNow();
  return found.map((key) => ({
    ...key,
    scopes: key.scopes.split(" "),
    sources: key.sources.split(","),
    nowMs,
  }));
}
