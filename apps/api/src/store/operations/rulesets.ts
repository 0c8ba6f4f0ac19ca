import { DEFAULT_HOLDING_LIMITS, type HoldingExcess, ROW_BYTES } from "../../ledger/holdings.ts";
import {
  formatPublicationAnswer,
  type MetPublication,
  meetPublication as meet,
  type StoredPublication,
} from "../../ledger/publication.ts";
import type { Scope } from "../../ledger/scope.ts";
import { computeTextDigest } from "../../ledger/text-digest.ts";
import type {
  CreatedRuleset,
  Input,
  NewRuleset,
  Page,
  PublicationQuestion,
  StoredRuleset,
} from "../port/port.ts";
import { requireSoundRuleset } from "../port/sound-rows.ts";
import { countRows, type Operation, queryFirstRow, queryRows, run, sql, sqlAll } from "../sql/operation.ts";
import { recordHoldings } from "./charges/holdings.ts";
import { buildScopeCondition, type Ledger, lockLedger, recordScopeTime } from "./charges/ledger.ts";

const GREATEST_VERSION = 2_147_483_647;

export function* createRuleset(input: NewRuleset): Operation<CreatedRuleset> {
  const { scope, name, body, digest, publication } = input;
  const ledger = yield* lockLedger(scope);
  if (publication !== undefined) {
    const met = yield* meetPublicationUnderLock({ scope, ...publication }, ledger);
    if (met.kind !== "free") return { kind: "met", met };
  }
  const { nowMs } = ledger;
  const latest = yield* queryFirstRow<{ version: number | null }>(
    sql`SELECT max(version) AS version FROM ruleset WHERE ${buildScopeCondition(scope)} AND name = ${name}`,
  );
  const version = input.version === "next" ? (latest?.version ?? 0) + 1 : input.version;
  // The last possible version exists, and no version follows it.
  if (version > GREATEST_VERSION) return { kind: "exists" };
  if ((yield* findRuleset({ scope, name, version })) !== undefined) return { kind: "exists" };
  const ruleset: StoredRuleset = { name, version, body, digest, createdAtMs: nowMs };
  const answer =
    publication && formatPublicationAnswer(ruleset, publication.warnings ?? [], publication.lint);
  const excess = yield* recordRulesetHoldings(input, answer);
  if (excess !== undefined) return { kind: "held", excess };
  yield* run(sql`
    INSERT INTO ruleset (organization, mode, name, version, body, body_digest, digest, created_at_ms)
    VALUES (${scope.organization}, ${scope.mode}, ${name}, ${version}, ${body}, ${computeTextDigest(body)},
      ${digest}, ${nowMs})`);
  if (publication !== undefined) yield* storePublication(scope, ruleset, publication, answer!);
  return { kind: "created", ruleset };
}

/** Counts a stored version and its replayable answer among the holdings; returns the excess, if any. */
function* recordRulesetHoldings(
  { scope, name, body, publication, limits = DEFAULT_HOLDING_LIMITS }: NewRuleset,
  answer: string | undefined,
): Operation<HoldingExcess | undefined> {
  const versions = yield* countRows(sql`ruleset WHERE ${buildScopeCondition(scope)} AND name = ${name}`);
  const limit = limits.ruleset_versions;
  if (versions >= limit) return { holding: "ruleset_versions", held: versions, requested: 1, limit };
  let bytes = ROW_BYTES.ruleset + Buffer.byteLength(body);
  if (publication !== undefined && answer !== undefined) {
    // A publication whose key may be used again is overwritten.
    const before = yield* queryFirstRow<{ bytes: number }>(sql`
      SELECT octet_length(response) AS bytes FROM publication
      WHERE ${buildScopeCondition(scope)} AND key = ${publication.request.key}`);
    bytes += Buffer.byteLength(answer) + (before === undefined ? ROW_BYTES.publication : -before.bytes);
  }
  return yield* recordHoldings(scope, [
    { kind: "ruleset_bytes", amount: bytes, limit: limits.ruleset_bytes },
    { kind: "ruleset_names", amount: versions === 0 ? 1 : 0, limit: limits.ruleset_names },
  ]);
}

export function* meetPublication(question: PublicationQuestion): Operation<MetPublication> {
  return yield* meetPublicationUnderLock(question, yield* lockLedger(question.scope));
}

function* meetPublicationUnderLock(
  { scope, request, terms }: PublicationQuestion,
  ledger: Ledger,
): Operation<MetPublication> {
  const { key } = request;
  const stored = yield* queryFirstRow<StoredPublication>(sql`
    SELECT key, fingerprint, name, version, response, published_at_ms AS "publishedAtMs",
      expires_at_ms AS "expiresAtMs", acknowledge_until_ms AS "acknowledgeUntilMs", replays
    FROM publication WHERE ${buildScopeCondition(scope)} AND key = ${key}`);
  const met = meet(request, stored, terms, ledger.nowMs);
  if (met.kind === "replayed") {
    const { replays } = met.publication;
    yield* run(
      sql`UPDATE publication SET replays = ${replays} WHERE ${buildScopeCondition(scope)} AND key = ${key}`,
    );
  }
  if (met.kind === "expired" && stored?.acknowledgeUntilMs === null) {
    // If time went back before this instant, an answer reported as expired would be served again.
    yield* recordScopeTime(scope, ledger);
    yield* run(sql`
      UPDATE publication SET acknowledge_until_ms = ${met.publication.acknowledgeUntilMs}
      WHERE ${buildScopeCondition(scope)} AND key = ${key}`);
  }
  return met;
}

function* storePublication(
  scope: Scope,
  ruleset: StoredRuleset,
  { request, terms }: NonNullable<NewRuleset["publication"]>,
  answer: string,
): Operation<void> {
  const { name, version, createdAtMs } = ruleset;
  yield* run(sql`
    INSERT INTO publication (organization, mode, key, fingerprint, name, version, response,
      published_at_ms, expires_at_ms, acknowledge_until_ms, replays)
    VALUES (${scope.organization}, ${scope.mode}, ${request.key}, ${request.fingerprint}, ${name},
      ${version}, ${answer}, ${createdAtMs}, ${createdAtMs + terms.retentionMs},
      NULL, 0)
    ON CONFLICT (organization, mode, key) DO UPDATE SET
      fingerprint = excluded.fingerprint, name = excluded.name, version = excluded.version,
      response = excluded.response, published_at_ms = excluded.published_at_ms,
      expires_at_ms = excluded.expires_at_ms, acknowledge_until_ms = NULL, replays = 0`);
}

export function* findRuleset({
  scope,
  name,
  version,
}: Input<"findRuleset">): Operation<StoredRuleset | undefined> {
  const conditions = [buildScopeCondition(scope), sql`name = ${name}`];
  if (version !== undefined) conditions.push(sql`version = ${version}`);
  const found = yield* queryFirstRow<StoredRuleset & { bodyDigest: string }>(sql`
    SELECT name, version, body, body_digest AS "bodyDigest", digest, created_at_ms AS "createdAtMs"
    FROM ruleset WHERE ${sqlAll(conditions)} ORDER BY version DESC LIMIT 1`);
  return found && requireSoundRuleset(found);
}

export function* listRulesets({
  scope,
  name,
  page,
  pageSize,
}: Input<"listRulesets">): Operation<Page<Omit<StoredRuleset, "body">>> {
  const conditions = [buildScopeCondition(scope)];
  if (name !== undefined) conditions.push(sql`name = ${name}`);
  const totalCount = yield* countRows(sql`ruleset WHERE ${sqlAll(conditions)}`);
  const items = yield* queryRows<Omit<StoredRuleset, "body">>(sql`
    SELECT name, version, digest, created_at_ms AS "createdAtMs" FROM ruleset
    WHERE ${sqlAll(conditions)} ORDER BY created_at_ms DESC, name, version DESC
    LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`);
  return { items, totalCount };
}
