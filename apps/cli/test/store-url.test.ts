import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PASSWORD } from "../../api/test/postgres-cluster.ts";
import { sharedPostgres } from "../../api/test/shared-postgres.ts";
import { runGroundrule } from "./groundrule.ts";

let dir: string;
let bare: string;
let whole: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "groundrule-url-"));
});

afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
});

/** A new database: its URL with the password, and without. */
async function prepareDatabase(): Promise<void> {
  whole = await sharedPostgres.createDatabase();
  bare = whole.replace(`:${PASSWORD}@`, "@");
}

interface Ended {
  readonly code: number;
  readonly said: string;
}

/** Runs the command in this process, with that environment and little else. */
async function run(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const before = process.env;
  process.env = { PATH: before.PATH, HOME: dir, ...env };
  try {
    const { code, out, err } = await runGroundrule(args, dir);
    expect(out + err).not.toContain(PASSWORD);
    return { code, said: out + err };
  } finally {
    process.env = before;
  }
}

/** A file with that content, for its owner or for all. */
async function writeFileWithMode(name: string, content: string, mode = 0o600): Promise<string> {
  const path = join(dir, name);
  await writeFile(path, content);
  await chmod(path, mode);
  return path;
}

describe("the URL of the store", () => {
  it.each<[string, () => Promise<{ args?: readonly string[]; env?: Record<string, string> }>]>([
    ["GROUNDRULE_STORE", async () => ({ env: { GROUNDRULE_STORE: whole } })],
    [
      "GROUNDRULE_STORE, and PGPASSWORD",
      async () => ({ env: { GROUNDRULE_STORE: bare, PGPASSWORD: PASSWORD } }),
    ],
    ["--store, and PGPASSWORD", async () => ({ args: ["--store", bare], env: { PGPASSWORD: PASSWORD } })],
    [
      "--store, and a file of passwords",
      async () => ({
        args: ["--store", bare],
        env: { PGPASSFILE: await writeFileWithMode("passwords", `*:*:*:*:${PASSWORD}\n`) },
      }),
    ],
    ["--store-file", async () => ({ args: ["--store-file", await writeFileWithMode("url", `${whole}\n`)] })],
    [
      "--store-file, over GROUNDRULE_STORE",
      async () => ({
        args: ["--store-file", await writeFileWithMode("url", whole)],
        env: { GROUNDRULE_STORE: "postgres://nobody@127.0.0.1:1/none" },
      }),
    ],
  ])("is taken from %s", async (_way, prepare) => {
    await prepareDatabase();
    const { args = [], env = {} } = await prepare();
    expect(await run(["org", "create", "Plots", "--quota", "9", ...args], env)).toMatchObject({ code: 0 });
    const doctor = await run(["doctor", ...args], env);
    expect(doctor).toMatchObject({ code: 0, said: expect.stringContaining('"ok":true') });
  });

  it.each<[string, number, () => Promise<readonly string[]>, string]>([
    [
      "a file that others may read",
      3,
      async () => ["--store-file", await writeFileWithMode("open", whole, 0o640)],
      "expected 600; run chmod 600",
    ],
    [
      "a file of two lines",
      3,
      async () => ["--store-file", await writeFileWithMode("two", `${whole}\n${whole}`)],
      "found 2 lines",
    ],
    [
      "an empty file",
      3,
      async () => ["--store-file", await writeFileWithMode("none", "\n")],
      "found nothing",
    ],
    [
      "two stores",
      2,
      async () => ["--store", bare, "--store-file", await writeFileWithMode("url", whole)],
      "found both --store and --store-file",
    ],
    [
      "another scheme",
      3,
      async () => ["--store", whole.replace("postgres:", "mysql:")],
      'found the store "mysql:…"',
    ],
    ["no scheme", 3, async () => ["--store", PASSWORD], 'found the store "…"'],
    [
      "a password that is not escaped",
      3,
      async () => ["--store", whole.replace(PASSWORD, `${PASSWORD}/@`)],
      "the store's URL cannot be parsed",
    ],
    ...["/x", "?x", "#x"].map((rest): [string, number, () => Promise<readonly string[]>, string] => [
      `a password with @ and ${rest}`,
      3,
      async () => ["--store", whole.replace(PASSWORD, `12@${PASSWORD}${rest}`)],
      "write %40 for @",
    ]),
    [
      "no password",
      4,
      async () => ["--store", bare],
      "expects a password, and found none; name its file in store_password_file",
    ],
    [
      "another password",
      4,
      async () => ["--store", whole.replace(`${PASSWORD}@`, `not-${PASSWORD}@`)],
      'password authentication failed for user "groundrule"; in the store\'s URL, write %40 for @',
    ],
    ["a URL in the wrong place", 2, async () => [whole], "unexpected operand"],
    [
      "an option that is given twice",
      2,
      async () => ["--store", whole, "--store", whole],
      "found --store twice, expected it once",
    ],
  ])("is never printed with its password: %s", async (_what, code, args, said) => {
    await prepareDatabase();
    expect(await run(["doctor", ...(await args())])).toMatchObject({
      code,
      said: expect.stringContaining(said),
    });
    const served = await run(["serve", "--port", "0", ...(await args())]);
    expect(served).toMatchObject({ code, said: expect.stringContaining(said) });
  });
});
