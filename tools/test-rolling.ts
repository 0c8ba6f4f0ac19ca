/**
 * A rolling upgrade, for real: `groundrule serve` of release 0.2.0 and of this checkout answer over one PostgreSQL while
 * callers ask both, with the same idempotency keys. The newer one migrates the store under the older one's feet. Then
 * the older one ends. Whatever was acknowledged must have been charged once, and be replayed byte for byte.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FollowedService, followService } from "../apps/api/test/followed-service.ts";
import { startPostgres } from "../apps/api/test/postgres-cluster.ts";
import { unpackFolder } from "../fixtures/packed-folder.ts";
import { Callers } from "./rolling/callers.ts";

/** The code that wrote `fixtures/0.2.0`. */
const OLD = { version: "0.2.0", commit: "8f2af9d9" };
/** How long callers ask the older one alone, both, and the newer one alone, milliseconds. */
const PHASES_MS = [1_500, 4_000, 1_500] as const;

const root = join(import.meta.dirname, "..");
const workshop = mkdtempSync(join(tmpdir(), "groundrule-rolling-"));
const env: NodeJS.ProcessEnv = {
  ...process.env,
  XDG_CONFIG_HOME: join(workshop, "config"),
  XDG_CACHE_HOME: join(workshop, "cache"),
};

if (hasCommit()) {
  try {
    await upgradeUnderLoad();
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
} else {
  console.log(`NOT RUN: this clone has no commit ${OLD.commit}, the code of release ${OLD.version}`);
}

function hasCommit(): boolean {
  try {
    execFileSync("git", ["cat-file", "-e", `${OLD.commit}^{commit}`], { cwd: root, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

async function upgradeUnderLoad(): Promise<void> {
  const old = setUpOldRelease();
  const data = join(workshop, "data");
  unpackFolder(readFileSync(join(root, "fixtures/0.2.0/data.br")), data);
  const cluster = await startPostgres();
  const servers = new Map<string, FollowedService>();
  try {
    const store = await cluster.createDatabase();
    const state = ["--data", data, "--store", store];
    const { org_id } = runJsonCommand(old, [
      "org",
      "create",
      "Bank",
      "--quota",
      "1000000",
      "--json",
      ...state,
    ]) as {
      readonly org_id: string;
    };
    const scope = ["--org", org_id, "--mode", "live"];
    const { key } = runJsonCommand(old, ["key", "create", ...scope, "--json", ...state]) as {
      readonly key: string;
    };

    servers.set(OLD.version, await startFollowedService(old, state));
    const callers = new Callers(servers, key);
    await callers.askFor(PHASES_MS[0]);
    servers.set("this", await startFollowedService(join(root, "apps/cli/src/main.ts"), state));
    await callers.askFor(PHASES_MS[1]);
    if (countMigrations(join(workshop, OLD.version)) < countMigrations(root))
      assertRefusesNewStore(old, state);
    await stopService(servers, OLD.version);
    await callers.askFor(PHASES_MS[2]);
    await callers.askAgain();

    const used = await callers.used();
    const { size } = callers.acknowledged;
    expectEqual(used, size, "requests charged, of requests that were acknowledged");
    const doctor = runCommand(join(root, "apps/cli/src/main.ts"), ["doctor", ...state]);
    await stopService(servers, "this");
    console.log(
      `rolling upgrade from ${OLD.version}: ${size} keys, ${callers.answers} answers (${[...callers.by]
        .map(([name, count]) => `${count} by ${name === "this" ? "this checkout" : name}`)
        .join(
          ", ",
        )}), ${callers.replays} of them replays, each charged once; doctor: ${doctor.trim().split("\n").at(-1)}`,
    );
  } finally {
    for (const service of servers.values()) await service.kill();
    await cluster.stop();
  }
}

/** The command of the older release, set up in a folder of its own. */
function setUpOldRelease(): string {
  const folder = join(workshop, OLD.version);
  mkdirSync(folder);
  const archive = execFileSync("git", ["archive", OLD.commit], { cwd: root, maxBuffer: 1 << 30 });
  execFileSync("tar", ["-x"], { cwd: folder, input: archive });
  execFileSync("npm", ["run", "-s", "setup"], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  return join(folder, "apps/cli/src/main.ts");
}

function runCommand(command: string, args: readonly string[]): string {
  return execFileSync(process.execPath, [command, ...args], {
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function runJsonCommand(command: string, args: readonly string[]): unknown {
  return JSON.parse(runCommand(command, args));
}

async function startFollowedService(command: string, state: readonly string[]): Promise<FollowedService> {
  const limits = ["--port", "0", "--workers", "1", "--rate-limit", "100000", "--burst", "100000"];
  return followService(spawn(process.execPath, [command, "serve", ...state, ...limits], { env }));
}

async function stopService(servers: Map<string, FollowedService>, name: string): Promise<void> {
  const service = servers.get(name)!;
  servers.delete(name);
  expectEqual(await service.stop("SIGTERM"), 0, `exit code of the server of ${name}`);
}

/** How many steps a release's store has taken. */
function countMigrations(folder: string): number {
  return readdirSync(join(folder, "apps/api/src/store/migrations")).filter((name) => /^\d/.test(name)).length;
}

/** Starting the older release after the upgrade reports why it cannot run. */
function assertRefusesNewStore(old: string, state: readonly string[]): void {
  try {
    runCommand(old, ["usage", ...state, "--org", "org_none"]);
  } catch (error) {
    const { stderr } = error as { readonly stderr: string };
    if (stderr.includes("SCHEMA_TOO_NEW")) return;
    throw new Error(`found ${stderr.trim()}, expected SCHEMA_TOO_NEW of ${OLD.version}`, { cause: error });
  }
  throw new Error(`${OLD.version} opened a store that a newer release had migrated, expected SCHEMA_TOO_NEW`);
}

function expectEqual<Value>(found: Value, expected: Value, what: string): void {
  if (found !== expected) throw new Error(`found ${String(found)}, expected ${String(expected)}: ${what}`);
}
