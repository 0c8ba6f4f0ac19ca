import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { closeSync, fstatSync, linkSync, openSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Pepper } from "../keys/api-key-digest.ts";
import type { Store, StoreState } from "../store/port/port.ts";
import { StoreError } from "../store/port/store-error.ts";
import { assertFolderKept, assertPrivate } from "../store/sqlite/lax-modes.ts";
import { makePrivateFolder } from "../store/sqlite/state-file.ts";

const PEPPER_BYTES = 32;
const VERSION = 1;

export interface PepperOptions {
  /** Accepts a new pepper if the store's is lost: keys created under the lost one never work again. */
  readonly isLost?: boolean;
}

/**
 * Reads the pepper from a file of 64 hexadecimal digits that only its owner may read. The store keeps the fingerprint
 * of the pepper its keys are stored under. If the store has neither a fingerprint nor keys, a missing file is created.
 *
 * Fails: `PEPPER_MISSING`, `PEPPER_MISMATCH`, `VALUE_INVALID` if the file holds anything else, if others may read or
 * write it, or if every user may replace it; also as the file system and the store do.
 */
export async function openPepper(
  path: string,
  store: Pick<Store, "findStoreState" | "setPepper">,
  { isLost = false }: PepperOptions = {},
): Promise<Pepper> {
  const state = await store.findStoreState({});
  const known = findKnownFingerprint(state);
  const isReplaced = isLost && readPepper(path) === undefined;
  const pepper = (isReplaced ? undefined : findPepper(path, state)) ?? createPepperFile(path);
  if (known !== undefined && !isReplaced) return pepper;
  const { fingerprint } = await store.setPepper({
    version: VERSION,
    fingerprint: computePepperFingerprint(pepper),
    replaces: known ?? null,
  });
  return requirePepperMatch(path, pepper, fingerprint);
}

/** Describes the problem with a store's pepper file, if any; creates and records nothing. */
export async function pepperTrouble(
  path: string,
  store: Pick<Store, "findStoreState">,
): Promise<string | undefined> {
  try {
    findPepper(path, await store.findStoreState({}));
    return undefined;
  } catch (error) {
    if (error instanceof StoreError && PEPPER_FAULTS.has(error.code)) return error.message;
    throw error;
  }
}

const PEPPER_FAULTS: ReadonlySet<string> = new Set(["PEPPER_MISSING", "PEPPER_MISMATCH", "VALUE_INVALID"]);

/** Undefined if there is no file and the store needs no pepper yet. */
function findPepper(path: string, state: StoreState): Pepper | undefined {
  const known = findKnownFingerprint(state);
  const pepper = readPepper(path);
  if (pepper !== undefined) return known === undefined ? pepper : requirePepperMatch(path, pepper, known);
  if (known === undefined && !state.hasKeys) return undefined;
  throw new StoreError(
    "PEPPER_MISSING",
    `there is no pepper at ${path}, and the API keys in the store need the pepper they were stored with: restore the file, or name it with --pepper; if it is permanently lost, groundrule key create --new-pepper creates another, and every key must be issued again`,
    { path },
  );
}

function findKnownFingerprint({ peppers }: StoreState): string | undefined {
  return peppers.find(({ version }) => version === VERSION)?.fingerprint;
}

const WHAT = "the pepper";

/** Undefined if there is no file. Fails: `VALUE_INVALID`. */
function readPepper(path: string): Pepper | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  let text: string;
  try {
    assertPrivate(path, fstatSync(file), WHAT);
    assertFolderKept(dirname(path), WHAT);
    text = readFileSync(file, "utf8").trim();
  } finally {
    closeSync(file);
  }
  if (!/^[0-9a-f]{64}$/.test(text)) {
    throw new StoreError(
      "VALUE_INVALID",
      `${path} does not contain 64 hexadecimal digits; restore the file, because the stored keys depend on it`,
      { path },
    );
  }
  return { version: VERSION, secret: Buffer.from(text, "hex") };
}

/**
 * Creates the file, unless another process has just done so. The file gets its name only when complete, so a process
 * that starts at the same time never reads half of it.
 */
function createPepperFile(path: string): Pepper {
  makePrivateFolder(dirname(path));
  assertFolderKept(dirname(path), WHAT);
  const aside = `${path}.${randomUUID()}`;
  const text = `${randomBytes(PEPPER_BYTES).toString("hex")}\n`;
  writeFileSync(aside, text, NEW_FILE);
  try {
    linkSync(aside, path);
  } catch (error) {
    // If the file system has no hard links, the file is written under its own name.
    if (!isThere(error)) writeFileSync(path, text, NEW_FILE);
  } finally {
    unlinkSync(aside);
  }
  return readPepper(path)!;
}

const NEW_FILE = { flag: "wx", mode: 0o600 } as const;

function isThere(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "EEXIST";
}

function requirePepperMatch(path: string, pepper: Pepper, known: string): Pepper {
  const found = computePepperFingerprint(pepper);
  if (found === known) return pepper;
  throw new StoreError(
    "PEPPER_MISMATCH",
    `${path} is not the pepper of this store: found the fingerprint ${found}, expected ${known}; no API key would work. Name the right file with --pepper, or the right store with --store`,
    { path, found, expected: known },
  );
}

/** Distinguishes peppers and reveals nothing else about them. */
function computePepperFingerprint({ secret }: Pepper): string {
  return createHmac("sha256", secret).update("groundrule pepper").digest("hex").slice(0, 16);
}
