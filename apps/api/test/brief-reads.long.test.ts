import { expect, it } from "vitest";
import { readLedger } from "./brief-reads.ts";
import { newSqlitePlace } from "./store-places.ts";
import { withTemporaryFolder } from "./temporary-folder.ts";

it("touches a few rows in the thread of HTTP beside a million decisions", async () => {
  await withTemporaryFolder(async (folder) => {
    const report = await readLedger(await newSqlitePlace(folder), 1_000_000);
    expect(report).toMatchObject({ dear: {}, refused: [] });
  });
}, 600_000);
