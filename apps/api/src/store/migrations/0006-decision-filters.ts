import type { Migration } from "./migrate.ts";

/**
 * Decisions by ruleset and by verdict, for `GET /v1/decisions`. Triggers keep both in step with `decision` and
 * `record`, whichever release writes those: an older one may run at the same time. The tables repeat what is in those
 * two, so a backup omits them, and erasing a record erases its verdict.
 *
 * Earlier decisions are indexed in the background (`indexDecisions`), since that takes a while if there are many.
 */
export const migration: Migration = {
  no: 6,
  name: "decision filters",
  tables: [
    `CREATE TABLE decision_ruleset (
      organization TEXT NOT NULL,
      mode TEXT NOT NULL,
      digest TEXT NOT NULL,
      seq BIGINT NOT NULL,
      PRIMARY KEY (organization, mode, digest, seq)
    )`,
    `CREATE TABLE decision_verdict (
      organization TEXT NOT NULL,
      mode TEXT NOT NULL,
      verdict TEXT NOT NULL,
      seq BIGINT NOT NULL,
      PRIMARY KEY (organization, mode, verdict, seq)
    )`,
    // One row: decisions up to that id are indexed; all of them once `done` is set.
    `CREATE TABLE decision_indexed (
      no BIGINT PRIMARY KEY CHECK (no = 1),
      last_id TEXT NOT NULL,
      is_done BIGINT NOT NULL CHECK (is_done IN (0, 1))
    )`,
  ],
  immutable: {},
  programs: {
    sqlite: [...buildSqlitePrograms(), buildNotIndexedInsert()],
    postgres: [...buildPostgresPrograms(), buildNotIndexedInsert()],
  },
};

/** Evaluated once the triggers exist: until then a running process of an earlier release may store a first decision. */
function buildNotIndexedInsert(): string {
  return `INSERT INTO decision_indexed (no, last_id, is_done)
    SELECT 1, '', CASE WHEN EXISTS (SELECT 1 FROM decision) THEN 0 ELSE 1 END`;
}

function buildSqlitePrograms(): string[] {
  const textAt = (json: string, path: string) =>
    `CASE WHEN json_valid(${json}) AND json_type(${json}, '${path}') = 'text' THEN json_extract(${json}, '${path}') END`;
  return [
    `CREATE VIEW evaluated_ruleset AS
      SELECT id, organization, mode, seq, ${textAt("digests", "$.ruleset")} AS digest
      FROM decision WHERE route = '/v1/evaluate'`,
    `CREATE VIEW evaluated_verdict AS
      SELECT id, organization, mode, seq, ${textAt("response", "$.data.verdict")} AS verdict
      FROM record JOIN decision ON id = decision_id WHERE route = '/v1/evaluate'`,
    `CREATE TRIGGER decision_ruleset_noted AFTER INSERT ON decision WHEN NEW.route = '/v1/evaluate'
      BEGIN
        INSERT OR IGNORE INTO decision_ruleset (organization, mode, digest, seq)
        SELECT organization, mode, digest, seq FROM evaluated_ruleset WHERE id = NEW.id AND digest IS NOT NULL;
      END`,
    `CREATE TRIGGER decision_verdict_noted AFTER INSERT ON record
      BEGIN
        INSERT OR IGNORE INTO decision_verdict (organization, mode, verdict, seq)
        SELECT organization, mode, verdict, seq FROM evaluated_verdict
        WHERE id = NEW.decision_id AND verdict IS NOT NULL;
      END`,
    `CREATE TRIGGER decision_verdict_erased BEFORE DELETE ON record
      BEGIN
        DELETE FROM decision_verdict WHERE (organization, mode, verdict, seq) IN (
          SELECT organization, mode, verdict, seq FROM evaluated_verdict WHERE id = OLD.decision_id);
      END`,
  ];
}

function buildPostgresPrograms(): string[] {
  return [
    // A text that is not JSON has no members; a charge never fails for it.
    `CREATE FUNCTION json_text_at(json_text TEXT, path TEXT[]) RETURNS TEXT LANGUAGE plpgsql IMMUTABLE AS
      $$ BEGIN RETURN json_text::json #>> path; EXCEPTION WHEN OTHERS THEN RETURN NULL; END $$`,
    `CREATE VIEW evaluated_ruleset AS
      SELECT id, organization, mode, seq, json_text_at(digests, '{ruleset}') AS digest
      FROM decision WHERE route = '/v1/evaluate'`,
    `CREATE VIEW evaluated_verdict AS
      SELECT id, organization, mode, seq, json_text_at(response, '{data,verdict}') AS verdict
      FROM record JOIN decision ON id = decision_id WHERE route = '/v1/evaluate'`,
    `CREATE FUNCTION decision_ruleset_noted() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN
        INSERT INTO decision_ruleset (organization, mode, digest, seq)
        SELECT organization, mode, digest, seq FROM evaluated_ruleset
        WHERE id IN (SELECT added.id FROM added) AND digest IS NOT NULL ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $$`,
    `CREATE TRIGGER decision_ruleset_noted AFTER INSERT ON decision REFERENCING NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION decision_ruleset_noted()`,
    `CREATE FUNCTION decision_verdict_noted() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN
        INSERT INTO decision_verdict (organization, mode, verdict, seq)
        SELECT organization, mode, verdict, seq FROM evaluated_verdict
        WHERE id IN (SELECT added.decision_id FROM added) AND verdict IS NOT NULL ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $$`,
    `CREATE TRIGGER decision_verdict_noted AFTER INSERT ON record REFERENCING NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION decision_verdict_noted()`,
    `CREATE FUNCTION decision_verdict_erased() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN
        DELETE FROM decision_verdict USING erased, decision
        WHERE decision.id = erased.decision_id AND decision_verdict.organization = decision.organization
          AND decision_verdict.mode = decision.mode AND decision_verdict.seq = decision.seq
          AND decision_verdict.verdict = json_text_at(erased.response, '{data,verdict}');
        RETURN NULL;
      END $$`,
    `CREATE TRIGGER decision_verdict_erased AFTER DELETE ON record REFERENCING OLD TABLE AS erased
      FOR EACH STATEMENT EXECUTE FUNCTION decision_verdict_erased()`,
  ];
}
