import { expect, it } from "vitest";
import { readLedger } from "./brief-reads.ts";
import { newSqlitePlace } from "./store-places.ts";
import { folderOfTest } from "./temporary-folder.ts";

const DECISIONS = process.env.GROUNDRULE_FULL === undefined ? 150_000 : 1_000_000;

it(`touches a few rows in the thread of HTTP beside ${DECISIONS} decisions`, async () => {
  const folder = await folderOfTest();
  const report = await readLedger(await newSqlitePlace(folder), DECISIONS);
  expect(report).toMatchObject({ dear: {}, refused: [] });
});
