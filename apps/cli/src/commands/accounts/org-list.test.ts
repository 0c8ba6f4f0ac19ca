import { createSharedFolder } from "@groundrule/testing/folder";
import { expect, it } from "vitest";
import { matchFailedExit, runInProcess } from "../../../test/in-process.ts";

const { at } = createSharedFolder();
const run = (args: readonly string[], columns?: number) =>
  runInProcess([...args, "--store", `sqlite:${at("state.db")}`], columns === undefined ? {} : { columns });

it("lists organizations by name, with what they may use and have used", async () => {
  expect(await run(["org", "list"])).toMatchObject(matchFailedExit(4, "STORE_MISSING"));
  await run(["org", "create", "Trader of Timber", "--quota", "2500000", "--sources", "demo:*,wdpa"]);
  await run(["org", "create", "Bank of Plots", "--quota", "100", "--test-quota", "7", "--anchor-day", "1"]);
  await run(["key", "create", "--org", "Bank of Plots", "--mode", "live"]);
  const [second] = (await run(["key", "create", "--org", "Bank of Plots", "--mode", "live"])).lines;
  await run(["key", "revoke", String(second!.key_id)]);
  await run(["subscription", "suspend", "--org", "Trader of Timber"]);

  const { code, lines, err } = await run(["org", "list"]);
  expect([code, err]).toEqual([0, ""]);
  expect(lines).toMatchObject([
    {
      name: "Bank of Plots",
      subscription: "active",
      sources: ["*"],
      live: { quota: 100, used: 0, remaining: 100, keys: 1, last_used_at: null },
      test: { quota: 7, keys: 0 },
    },
    {
      name: "Trader of Timber",
      subscription: "suspended",
      sources: ["demo:*", "wdpa"],
      live: { quota: 2_500_000, keys: 0 },
    },
  ]);

  const narrow = (await run(["org", "list"], 80)).out.split("\n").slice(1);
  expect(Math.max(...narrow.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(narrow[0]).toMatch(/^org_[0-9a-f]{24} {2}Bank of Plots +active +0 +100 +1$/);
  expect((await run(["org", "list", "--mode", "test"], 120)).out).toMatch(/ 0 +7 +0 {2}20\d\d-\d\d-01 {2}\*/);
});
