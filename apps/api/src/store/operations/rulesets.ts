import type { Scope } from "../../charging/scope.ts";
import { firstRow, type Operation, rows, run, sql, sqlAll } from "../operation.ts";
import type { Page, StoredRuleset } from "../port.ts";
import { StoreError } from "../store-error.ts";
import { textDigest } from "../text-digest.ts";
import { inScope, lockLedger } from "./ledger.ts";

const GREATEST_VERSION = 2_147_483_647;

export function* createRuleset(input: {
  readonly scope: Scope;
  readonly name: string;
  readonly version: number | "next";
  readonly body: string;
  readonly digest: string;
}): Operation<{ kind: "created"; ruleset: StoredRuleset } | { kind: "exists" }> {
  const { scope, name, body, digest } = input;
  const { nowMs } = yield* lockLedger(scope);
  const latest = yield* firstRow<{ version: number | null }>(
    sql`SELECT max(version) AS version FROM ruleset WHERE ${inScope(scope)} AND name = ${name}`,
  );
  const version = input.version === "next" ? (latest?.version ?? 0) + 1 : input.version;
  if (version > GREATEST_VERSION) {
    throw new StoreError("VALUE_INVALID", `versions of "${name}" end at ${GREATEST_VERSION}`, { name });
  }
  if ((yield* findRuleset({ scope, name, version })) !== undefined) return { kind: "exists" };
  yield* run(sql`
    INSERT INTO ruleset (organization, mode, name, version, body, body_digest, digest, created_at_ms)
    VALUES (${scope.organization}, ${scope.mode}, ${name}, ${version}, ${body}, ${textDigest(body)},
      ${digest}, ${nowMs})`);
  return { kind: "created", ruleset: { name, version, body, digest, createdAtMs: nowMs } };
}

export function* findRuleset({
  scope,
  name,
  version,
}: {
  readonly scope: Scope;
  readonly name: string;
  readonly version?: number;
}): Operation<StoredRuleset | undefined> {
  const conditions = [inScope(scope), sql`name = ${name}`];
  if (version !== undefined) conditions.push(sql`version = ${version}`);
  return yield* firstRow<StoredRuleset>(sql`
    SELECT name, version, body, digest, created_at_ms AS "createdAtMs" FROM ruleset
    WHERE ${sqlAll(conditions)} ORDER BY version DESC LIMIT 1`);
}

export function* listRulesets({
  scope,
  name,
  page,
  pageSize,
}: {
  readonly scope: Scope;
  readonly name?: string;
  readonly page: number;
  readonly pageSize: number;
}): Operation<Page<Omit<StoredRuleset, "body">>> {
  const conditions = [inScope(scope)];
  if (name !== undefined) conditions.push(sql`name = ${name}`);
  const count = yield* firstRow<{ n: number }>(
    sql`SELECT count(*) AS n FROM ruleset WHERE ${sqlAll(conditions)}`,
  );
  const items = yield* rows<Omit<StoredRuleset, "body">>(sql`
    SELECT name, version, digest, created_at_ms AS "createdAtMs" FROM ruleset
    WHERE ${sqlAll(conditions)} ORDER BY created_at_ms DESC, name, version DESC
    LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`);
  return { items, totalCount: count?.n ?? 0 };
}
