import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createInterface } from "node:readline";
import { createSharedFolder } from "@groundrule/testing/folder";
import { beforeAll, describe, expect, it } from "vitest";
import { runGroundrule, startGroundrule } from "../../../test/groundrule.ts";
import { matchFailedExit } from "../../../test/in-process.ts";
import { buildListedRegister, LISTED } from "../../../test/listed.ts";

// Commands that manage the service's state, some while it is being served.

const { at } = createSharedFolder();
const run = (...args: string[]) => runGroundrule(args, at());
const value = async (...args: string[]) => {
  const finished = await run(...args);
  expect(finished).toMatchObject({ code: 0, err: "" });
  return finished.lines[0] as Record<string, unknown>;
};

const RULESET = {
  sets: { listed: { registers: ["demo:listed"] } },
  checks: [{ id: "listed", set: "listed", outcome: "NON_COMPLIANT" }],
};

beforeAll(async () => {
  await buildListedRegister(at());
});

describe("the commands of the state", () => {
  it("manage organizations, keys, quotas and subscriptions beside the process that serves", async () => {
    const made = await run("org", "create", "Bank of Plots", "--quota", "2", "--anchor-day", "31");
    expect(made).toMatchObject(matchFailedExit(0, "created a new store"));
    const org = made.lines[0]!;
    expect(org).toEqual({ org_id: expect.stringMatching(/^org_/) });
    const id = String(org.org_id);
    const scopes = ["--scopes", "evaluate,discover,usage:read"];
    const issued = await value("key", "create", "--org", id, ...scopes);
    expect(issued).toMatchObject({ key: expect.stringMatching(/^gr_live_/), mode: "live" });
    expect(statSync(at(".groundrule/state.db.pepper")).mode & 0o077).toBe(0);
    expect(readFileSync(at(".groundrule/state.db")).includes(String(issued.key))).toBe(false);

    const child = startGroundrule(
      ["serve", "--port", "0", "--workers", "1", "--burst", "50", "--rate-limit", "20"],
      at(),
    );
    child.stderr!.resume();
    const output = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    const url = /http:\S+/.exec(String((await output.next()).value))![0];
    const body = JSON.stringify({ input: { scheme: LISTED }, ruleset: RULESET });
    const ask = async (key: unknown) => {
      const response = await fetch(`${url}/v1/evaluate`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body,
      });
      const { code = "" } = (await response.json()) as { code?: string };
      return `${response.status} ${code}`.trim();
    };
    expect(await ask(issued.key)).toBe("200");

    const rotated = await value("key", "rotate", String(issued.key_id), "--overlap", "1h");
    expect(rotated).toMatchObject({ mode: "live", scopes: ["evaluate", "discover", "usage:read"] });
    expect(await ask(rotated.key)).toBe("200");
    await value("key", "revoke", String(issued.key_id));
    // The service looks a cached key up again within a second; the quota is used up meanwhile.
    await expect.poll(() => ask(issued.key)).toBe("401 API_KEY_REVOKED");

    expect(await ask(rotated.key)).toBe("429 QUOTA_EXCEEDED");
    expect(await value("quota", "set", "--org", id, "3")).toEqual({ mode: "live", limit: 3, used: 2 });
    await value("subscription", "suspend", "--org", id);
    expect(await ask(rotated.key)).toBe("402 SUBSCRIPTION_INACTIVE");
    await value("subscription", "resume", "--org", id);
    expect(await ask(rotated.key)).toBe("200");

    const usage = await value("usage", "--org", id);
    const served = await fetch(`${url}/v1/usage`, { headers: { authorization: `Bearer ${rotated.key}` } });
    expect(await served.json()).toEqual({ data: usage });
    expect(usage).toMatchObject({ limit: 3, used: 3, remaining: 0, by_route: { "/v1/evaluate": 3 } });

    const listed = await run("key", "list", "--org", "Bank of Plots");
    expect(listed.out).not.toContain(String(rotated.key));
    expect(listed.lines.map(({ key_id }) => key_id).sort()).toEqual(
      [issued.key_id, rotated.key_id].map(String).sort(),
    );

    const second = await run("serve", "--port", "0");
    expect(second).toMatchObject({ code: 4 });
    expect(second.err).toContain("STORE_IN_USE");

    await value("backup", "backup.db");
    child.kill("SIGINT");
    expect((await once(child, "exit"))[0]).toBe(0);

    const restored = await run("restore", "backup.db", "--store", "sqlite:restored.db");
    expect(restored).toMatchObject(matchFailedExit(0, "there is no pepper at"));
    expect(existsSync(at("restored.db"))).toBe(true);
    expect(await value("usage", "--org", id, "--store", "sqlite:restored.db")).toEqual(usage);
    const again = await run("restore", "backup.db", "--store", "sqlite:restored.db");
    expect(again).toMatchObject({ code: 3 });
    expect(again.err).toContain("STORE_NOT_EMPTY");

    const before = new Date().toISOString();
    expect(await value("decisions", "erase", "--org", id, "--before", before)).toEqual({ erased: 3 });
    expect(await value("doctor")).toMatchObject({ ok: true, store: "sqlite", violations: [], trouble: null });
    expect(await value("ledger", "release", "--org", id)).toEqual({ released: id, mode: "live" });
  });

  it("refuse what they cannot take, each with the exit code of its kind", async () => {
    await run("org", "create", "Twice", "--quota", "1");
    for (const [args, code, text] of [
      [["org", "create", "Twice", "--quota", "1"], 3, "ORGANIZATION_EXISTS"],
      [["org", "create", "x", "--quota", "1", "--sources", "Demo:*"], 3, "VALUE_INVALID"],
      [["org", "create", "x"], 2, "--quota N is required"],
      [["org", "create", "x", "--quota", "-1"], 2, "--quota"],
      [["key", "create", "--org", "nobody"], 3, "ORGANIZATION_UNKNOWN"],
      [["key", "create", "--org", "Twice", "--mode", "prod"], 2, "expected live or test"],
      [["key", "create", "--org", "Twice", "--scopes", "all"], 3, "VALUE_INVALID"],
      [["key", "create", "--org", "Twice", "--expires-at", "2020-01-01T00:00:00Z"], 2, "in the future"],
      [["key", "rotate", "key_none"], 3, "KEY_UNKNOWN"],
      [["key", "rotate", "key_none", "--overlap", "1 hour"], 2, "expected a duration"],
      [["key", "revoke", "key_none"], 3, "KEY_UNKNOWN"],
      [["quota", "set", "--org", "Twice", "many"], 2, "expected a whole number"],
      [["decisions", "erase", "--org", "Twice", "--before", "2999-01-01T00:00:00Z"], 3, "VALUE_INVALID"],
      [["decisions", "erase", "--org", "Twice", "--before", "yesterday"], 2, "expected an instant"],
      [["usage", "--org", "Twice", "--store", "mysql://x"], 3, "VALUE_INVALID"],
      [["usage", "--org", "Twice", "--store", "postgres://u:p@127.0.0.1:1/x"], 4, "STORAGE_UNAVAILABLE"],
    ] as const) {
      const refused = await run(...args);
      expect({ code: refused.code, err: refused.err }, args.join(" ")).toEqual({
        code,
        err: expect.stringContaining(text),
      });
    }
  });
});
