import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { MOST_STEPS, measureLedgerReads } from "./brief-reads.ts";
import { findDearestStatement } from "./count-steps.ts";
import { createSqlitePlace } from "./store-places.ts";
import { createTestFolder } from "./temporary-folder.ts";

const DECISIONS = 4_000;

it("touches a few rows in the thread of HTTP, whatever the request and however much is stored", async () => {
  const folder = await createTestFolder();
  const report = await measureLedgerReads(await createSqlitePlace(folder), DECISIONS);
  expect(report).toMatchObject({ dear: {}, refused: [] });
  expect(report.requests).toBeGreaterThan(20);
  expect(report.most).toBeGreaterThan(50);
});

it("counts more steps of a statement that visits every decision than a statement may take", async () => {
  const database = new DatabaseSync(":memory:");
  const series = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${DECISIONS})`;
  database.exec(`CREATE TABLE decision (seq); INSERT INTO decision ${series} SELECT i FROM n`);
  const scan = database.prepare("SELECT count(*) FROM decision WHERE seq < 1");
  expect((await findDearestStatement(async () => scan.all())).steps).toBeGreaterThan(MOST_STEPS);
  database.close();
});
