import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import {
  assertPrivate,
  defaultPepperPath,
  findSqlitePath,
  type KeyPorts,
  type ManagePorts,
  type OpenOptions,
  openPepper,
  openStore,
  type Pepper,
  type PepperOptions,
  type Store,
  StoreError,
} from "@groundrule/api/state";
import { type Arguments, UsageError } from "../command-line/arguments.ts";
import { createSettingOption, defineOption, type OptionSpec } from "../command-line/command-line.ts";
import { toReadError } from "../files/input-file.ts";
import { hasPassword, isPostgresUrl } from "../files/store-password.ts";
import { SETTINGS } from "../settings/settings.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { getDataFolder } from "./data-folder.ts";

// Options for the location of the service's state: organizations, keys, rulesets, usage, decisions.

export const STORE_OPTIONS: readonly OptionSpec[] = [
  createSettingOption("store"),
  createSettingOption("store_file"),
  createSettingOption("store_password_file"),
];

export const PEPPER_OPTION: OptionSpec = createSettingOption("pepper_file");

export const TRUST_CLOCK_OPTION: OptionSpec = defineOption(
  "trust-clock",
  "trust the clock even if it is more than 31 days after, or an hour before, the last time that a server used the store",
);

/** Options of commands that only read. Not all use the pepper, but a user may pass it everywhere. */
export const READ_STATE_OPTIONS: readonly OptionSpec[] = [...STORE_OPTIONS, PEPPER_OPTION];

/** Options of commands that write. */
export const STATE_OPTIONS: readonly OptionSpec[] = [...READ_STATE_OPTIONS, TRUST_CLOCK_OPTION];

/**
 * The URL of the store, with its password.
 *
 * Fails: `VALUE_INVALID` if others may read a file that contains it or its password, if such a file contains anything
 * else, or if there are two passwords; `InputFileError` for a file that cannot be read.
 */
export function readStoreUrl(args: Arguments): string {
  const file = args.find(SETTINGS.store_file.option);
  const url = file === undefined ? getWrittenUrl(args) : readSecretFile(file, "the store's URL");
  const passwordFile = args.find(SETTINGS.store_password_file.option);
  // A command may work on a file while the environment has the password of another service's store.
  if (passwordFile === undefined || !isPostgresUrl(url)) return url;
  return addPasswordToUrl(url, passwordFile);
}

/** True if a store is named, not just the default one. */
export function isStoreNamed(args: Arguments): boolean {
  return [SETTINGS.store, SETTINGS.store_file].some(({ option }) => args.find(option) !== undefined);
}

function getWrittenUrl(args: Arguments): string {
  const { option } = SETTINGS.store;
  const url = args.find(option);
  if (url === undefined) return `sqlite:${join(getDataFolder(args), "state.db")}`;
  const file = args.fallback(option);
  if (file?.path !== undefined && hasPassword(url)) {
    assertPrivate(file.path, statSync(file.path), "the password of the store");
  }
  return url;
}

function addPasswordToUrl(url: string, file: string): string {
  if (hasPassword(url)) {
    throw new StoreError(
      "VALUE_INVALID",
      `found a password in the store's URL and the file ${file}, expected one of them`,
    );
  }
  const password = encodeURIComponent(readSecretFile(file, "the password of PostgreSQL"));
  const [, scheme = "", user = "", rest = ""] = /^(\w+:\/\/)(?:([^@/?]*)@)?(.*)$/su.exec(url) ?? [];
  return `${scheme}${user}:${password}@${rest}`;
}

/**
 * The pepper file of the store: commands with the same store find the same file, whatever their data folder. It is next
 * to a SQLite file, not in it; a server's store has no place on this machine, so there the file is in the user's home.
 */
export function getPepperFile(args: Arguments): string {
  const named = args.find(PEPPER_OPTION.name);
  if (named !== undefined) return named;
  const path = findSqlitePath(readStoreUrl(args));
  if (path !== undefined) return defaultPepperPath(path);
  return join(process.env.XDG_CONFIG_HOME || join(getHomeFolder(), ".config"), "groundrule/pepper");
}

/** Fails: {@link UsageError} if the user has no home, for example without an entry in /etc/passwd. */
function getHomeFolder(): string {
  try {
    return homedir();
  } catch {
    throw new UsageError(
      `found no home folder of the user for the pepper; name its file with --pepper or ${SETTINGS.pepper_file.variable}`,
    );
  }
}

/** Opens the state for the serving process, and its pepper. */
export async function openServedState(args: Arguments): Promise<{ store: Store; pepper: Pepper }> {
  const url = readStoreUrl(args);
  if (args.flag("init")) await createStateAndPepper(args);
  const store = await openStore(url, { role: "serve", trustClock: args.flag("trust-clock") });
  try {
    return { store, pepper: await openPepper(getPepperFile(args), store) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Creates the state and its pepper.
 *
 * Fails: `STORE_NOT_EMPTY` if there is one. If that were ignored, `serve --init` would stay in start scripts, and
 * create an empty state on the day that a disk is not mounted.
 */
async function createStateAndPepper(args: Arguments): Promise<void> {
  if (await hasState(args)) {
    throw new StoreError(
      "STORE_NOT_EMPTY",
      "the store already exists; --init creates a new store, so start without it",
    );
  }
  await (await openState(args, { absent: "make" })).close();
}

/** Opens the state for reading, while it may be served, and closes it after the work. */
export async function withReadState<Result>(
  args: Arguments,
  read: (ports: ManagePorts) => Promise<Result>,
): Promise<Result> {
  return runAndClose(await openStore(readStoreUrl(args), { role: "read" }), (store) => read({ store }));
}

/** Opens the state while it may be served, and closes it after the work. */
export async function withState<Result>(
  args: Arguments,
  work: (ports: ManagePorts) => Promise<Result>,
): Promise<Result> {
  return runAndClose(await openState(args), (store) => work({ store }));
}

/** The same with the pepper, for work that creates keys. */
export async function withKeyState<Result>(
  args: Arguments,
  work: (ports: KeyPorts) => Promise<Result>,
  options: PepperOptions = {},
): Promise<Result> {
  return runAndClose(await openState(args), async (store) => {
    return work({ store, pepper: await openPepper(getPepperFile(args), store, options) });
  });
}

/** The same, but creates the state and its pepper if there are none. */
export async function withMadeState<Result>(
  args: Arguments,
  terminal: Terminal,
  work: (ports: ManagePorts) => Promise<Result>,
): Promise<Result> {
  const isNew = !(await hasState(args));
  return runAndClose(await openState(args, { absent: "make" }), async (store) => {
    await openPepper(getPepperFile(args), store);
    if (isNew)
      terminal.note(
        `groundrule created a new store; its pepper is ${getPepperFile(args)}: back up both, in separate places`,
      );
    return work({ store });
  });
}

async function hasState(args: Arguments): Promise<boolean> {
  try {
    await (await openStore(readStoreUrl(args), { role: "read" })).close();
    return true;
  } catch (error) {
    if (error instanceof StoreError && error.code === "STORE_MISSING") return false;
    throw error;
  }
}

/**
 * Opens the state for writing. With `--trust-clock` the clock's time is recorded, so that the next process accepts it.
 */
async function openState(args: Arguments, options: Pick<OpenOptions, "absent"> = {}): Promise<Store> {
  const trustClock = args.flag("trust-clock");
  const store = await openStore(readStoreUrl(args), { ...options, trustClock });
  if (trustClock) await store.noteServed({ ballast: 0 });
  return store;
}

async function runAndClose<Result>(store: Store, work: (store: Store) => Promise<Result>): Promise<Result> {
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** More than any secret takes. */
const BYTE_LIMIT = 16_384;

/**
 * The one line of a file that holds a secret, without the line's end.
 *
 * @param what it holds, for messages; they never hold the secret
 * Fails: `VALUE_INVALID` where others may read the file, or it holds anything but a line of text;
 * `InputFileError` where it cannot be read.
 */
function readSecretFile(path: string, what: string): string {
  const bytes = readPrivateFile(path, what);
  const refuse = (found: string) =>
    new StoreError("VALUE_INVALID", `found ${found} in ${path}, expected one line, ${what}`);
  if (bytes.length > BYTE_LIMIT) throw refuse(`more than ${BYTE_LIMIT} bytes`);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refuse("bytes that are not UTF-8");
  }
  const lines = text.trimEnd().split(/\r\n|\r|\n/u);
  if (lines.length > 1) throw refuse(`${lines.length} lines`);
  if (lines[0] === "") throw refuse("nothing");
  if (/\p{Cc}/u.test(lines[0]!)) throw refuse("a control character");
  return lines[0]!;
}

function readPrivateFile(path: string, what: string): Uint8Array {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    assertPrivate(path, fstatSync(file), what);
    const bytes = new Uint8Array(BYTE_LIMIT + 1);
    let length = 0;
    // A pipe gives what it has, and a device may give for ever.
    while (length < bytes.length) {
      const read = readSync(file, bytes, length, bytes.length - length, null);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  } catch (error) {
    throw toReadError(error, path);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
