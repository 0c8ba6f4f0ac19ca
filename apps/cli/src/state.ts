import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import {
  type KeyPorts,
  type ManagePorts,
  type OpenOptions,
  openPepper,
  openStore,
  type Pepper,
  type PepperOptions,
  pepperBeside,
  type Store,
  StoreError,
  sqlitePathOf,
} from "@groundrule/api/state";
import { type Arguments, UsageError } from "./arguments.ts";
import type { OptionSpec } from "./command-line.ts";
import { dataFolder } from "./data-folder.ts";
import type { Terminal } from "./terminal.ts";

// Where the service's state lies: organizations, keys, rulesets, usage, decisions.

export const STORE_OPTIONS: readonly OptionSpec[] = [
  {
    name: "store",
    value: "URL",
    help: "sqlite:FILE or postgres://… (default: the environment variable GROUNDRULE_STORE, else sqlite:<data>/state.db); other users of this machine can see a command's arguments, so keep a password in the environment, in ~/.pgpass or in a file",
  },
  {
    name: "store-file",
    value: "FILE",
    help: "file that contains the store's URL and that only its owner can read",
  },
];

export const PEPPER_OPTION: OptionSpec = {
  name: "pepper",
  value: "FILE",
  help: "file of the secret that protects stored API keys; created with the store (default: the SQLite file's name with .pepper, else groundrule/pepper in the user's configuration folder)",
};

export const TRUST_CLOCK_OPTION: OptionSpec = {
  name: "trust-clock",
  help: "trust the clock even if it is more than 31 days after, or an hour before, the time at which the store was last served",
};

/** Of commands that only read. Not all look at the pepper; whoever names it everywhere is not refused. */
export const READ_STATE_OPTIONS: readonly OptionSpec[] = [...STORE_OPTIONS, PEPPER_OPTION];

/** Of commands that write. */
export const STATE_OPTIONS: readonly OptionSpec[] = [...READ_STATE_OPTIONS, TRUST_CLOCK_OPTION];

/**
 * Fails: {@link UsageError} where it is named twice; `VALUE_INVALID` where others may read the file that
 * holds it, or it holds anything else; as reading a file does.
 */
export function storeUrl(args: Arguments): string {
  const named = args.find("store");
  const file = args.find("store-file");
  if (named !== undefined && file !== undefined) {
    throw new UsageError("found both --store and --store-file, expected one of them");
  }
  if (file !== undefined) return urlIn(file);
  return named ?? (process.env.GROUNDRULE_STORE || `sqlite:${join(dataFolder(args), "state.db")}`);
}

function urlIn(path: string): string {
  const file = openSync(path, "r");
  try {
    const mode = fstatSync(file).mode & 0o777;
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      throw new StoreError(
        "VALUE_INVALID",
        `found mode ${mode.toString(8)} on ${path}, which contains the store's URL, expected 600; run chmod 600 ${path}`,
      );
    }
    const [url = "", ...more] = readFileSync(file, "utf8").trim().split("\n");
    if (url === "" || more.length > 0) {
      const found = url === "" ? "nothing" : `${more.length + 1} lines`;
      throw new StoreError("VALUE_INVALID", `found ${found} in ${path}, expected one line, the store's URL`);
    }
    return url;
  } finally {
    closeSync(file);
  }
}

/**
 * Where the pepper of the store is: whoever names the same store finds the same one, whatever data folder
 * the command has. It lies beside a SQLite file, not in it; a server's store says nothing of this machine,
 * so there it is the user's.
 */
export function pepperFile(args: Arguments): string {
  const named = args.find("pepper");
  if (named !== undefined) return named;
  const path = sqlitePathOf(storeUrl(args));
  if (path !== undefined) return pepperBeside(path);
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), ".config"), "groundrule/pepper");
}

/** Opens the state for the process that serves it, and its pepper. */
export async function openServedState(args: Arguments): Promise<{ store: Store; pepper: Pepper }> {
  const url = storeUrl(args);
  if (args.flag("init")) await makeState(args);
  const store = await openStore(url, { role: "serve", trustClock: args.flag("trust-clock") });
  try {
    return { store, pepper: await openPepper(pepperFile(args), store) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Makes the state, and its pepper.
 *
 * Fails: `STORE_NOT_EMPTY` where there is one. Were it passed over, `serve --init` would be left in start
 * scripts, and make an empty state on the day that a disk is not mounted.
 */
async function makeState(args: Arguments): Promise<void> {
  if (await hasState(args)) {
    throw new StoreError(
      "STORE_NOT_EMPTY",
      "the store already exists; --init creates a new store, so start without it",
    );
  }
  await (await openState(args, { absent: "make" })).close();
}

/** Opens the state for reading, beside whoever serves it, and closes it after the work. */
export async function withReadState<Result>(
  args: Arguments,
  read: (ports: ManagePorts) => Promise<Result>,
): Promise<Result> {
  return closing(await openStore(storeUrl(args), { role: "read" }), (store) => read({ store }));
}

/** Opens the state beside whoever serves it, and closes it after the work. */
export async function withState<Result>(
  args: Arguments,
  work: (ports: ManagePorts) => Promise<Result>,
): Promise<Result> {
  return closing(await openState(args), (store) => work({ store }));
}

/** The same with the pepper, for work that makes keys. */
export async function withKeyState<Result>(
  args: Arguments,
  work: (ports: KeyPorts) => Promise<Result>,
  options: PepperOptions = {},
): Promise<Result> {
  return closing(await openState(args), async (store) => {
    return work({ store, pepper: await openPepper(pepperFile(args), store, options) });
  });
}

/** The same where the state, and its pepper, are made if there are none. */
export async function withMadeState<Result>(
  args: Arguments,
  terminal: Terminal,
  work: (ports: ManagePorts) => Promise<Result>,
): Promise<Result> {
  const isNew = !(await hasState(args));
  return closing(await openState(args, { absent: "make" }), async (store) => {
    await openPepper(pepperFile(args), store);
    if (isNew)
      terminal.note(
        `groundrule created a new store; its pepper is ${pepperFile(args)}: back up both, in separate places`,
      );
    return work({ store });
  });
}

async function hasState(args: Arguments): Promise<boolean> {
  try {
    await (await openStore(storeUrl(args), { role: "read" })).close();
    return true;
  } catch (error) {
    if (error instanceof StoreError && error.code === "STORE_MISSING") return false;
    throw error;
  }
}

/** Opens the state for writing. Who trusts the clock says so to whoever opens it next. */
async function openState(args: Arguments, options: Pick<OpenOptions, "absent"> = {}): Promise<Store> {
  const trustClock = args.flag("trust-clock");
  const store = await openStore(storeUrl(args), { ...options, trustClock });
  if (trustClock) await store.noteServed({ ballast: 0 });
  return store;
}

async function closing<Result>(store: Store, work: (store: Store) => Promise<Result>): Promise<Result> {
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
