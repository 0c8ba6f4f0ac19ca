import { createReadStream, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { findSqlitePath, openStore, type Store } from "@groundrule/api/state";
import { unpack } from "@groundrule/formats";
import { readCatalog } from "@groundrule/node/internal";
import type { Arguments } from "../command-line/arguments.ts";
import { InputFileError, toReadError } from "../files/input-file.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { getDataFolder } from "./data-folder.ts";
import { isStoreNamed, readStoreUrl } from "./state.ts";

const DIGEST = /[0-9a-f]{64}/g;
const PAGE = 200;

/**
 * All digests that stored decisions, unfinished jobs and record files mention: the editions among them are needed to
 * replay or to continue these. The editions that are current at the start count too, since decisions on them may be
 * stored while the others are read.
 *
 * Fails: as opening and reading the store does, for a named store that cannot be read; {@link InputFileError} for
 * records that cannot.
 */
export async function collectNeededEditions(args: Arguments, terminal: Terminal): Promise<Set<string>> {
  const needed = new Set(readCatalog(getDataFolder(args)).sources.map(({ edition }) => edition));
  await addDecisionDigests(needed, args, terminal);
  for (const path of args.all("records")) await addRecordFileDigests(needed, path, terminal);
  return needed;
}

async function addDecisionDigests(needed: Set<string>, args: Arguments, terminal: Terminal): Promise<void> {
  const url = readStoreUrl(args);
  const path = findSqlitePath(url);
  if (!isStoreNamed(args) && path !== undefined && !existsSync(path)) {
    terminal.note(
      `groundrule: the data folder contains no state of a service; if it is elsewhere, name it with --store`,
    );
    return;
  }
  const store = await openStore(url, { role: "read" });
  try {
    await addStoredDigests(needed, store, terminal);
  } finally {
    await store.close();
  }
}

/**
 * Digests that a store mentions. The editions pinned by jobs are read before the decisions, because the last decisions
 * of a job that ends meanwhile may be missed, and again after them, because jobs may be created meanwhile.
 */
export async function addStoredDigests(
  needed: Set<string>,
  store: Pick<Store, "pinnedEditions" | "listDecisionTexts">,
  terminal: Pick<Terminal, "progress">,
): Promise<void> {
  await addJobDigests(needed, store);
  await addAllDecisions(needed, store, terminal);
  await addJobDigests(needed, store);
}

async function addJobDigests(needed: Set<string>, store: Pick<Store, "pinnedEditions">): Promise<void> {
  for (const text of await store.pinnedEditions({})) addDigestsInText(needed, text);
}

async function addAllDecisions(
  needed: Set<string>,
  store: Pick<Store, "listDecisionTexts">,
  terminal: Pick<Terminal, "progress">,
): Promise<void> {
  let after = "";
  let read = 0;
  for (;;) {
    const page = await store.listDecisionTexts({ after, limit: PAGE });
    for (const { digests, response } of page) {
      addDigestsInText(needed, digests);
      if (response !== null) addDigestsInText(needed, response);
    }
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
    read += page.length;
    terminal.progress(() => `${read} decisions read`);
  }
}

/** Reads a file, or every file of a folder and its subfolders, gzipped or not. */
async function addRecordFileDigests(needed: Set<string>, path: string, terminal: Terminal): Promise<void> {
  for (const file of listFilesAt(path)) {
    terminal.progress(() => `reading ${file}`);
    let rest = "";
    try {
      const { bytes } = await unpack(createReadStream(file));
      for await (const chunk of bytes) {
        const text = rest + Buffer.from(chunk).toString("latin1");
        addDigestsInText(needed, text);
        rest = text.slice(-63);
      }
    } catch (error) {
      throw toReadError(error, file);
    }
  }
}

function listFilesAt(path: string): string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined)
    throw new InputFileError(`found no ${path}, expected a file or a folder of records`);
  if (!stat.isDirectory()) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? join(entry.parentPath, entry.name) : []));
}

function addDigestsInText(needed: Set<string>, text: string): void {
  for (const [digest] of text.matchAll(DIGEST)) needed.add(digest);
}
