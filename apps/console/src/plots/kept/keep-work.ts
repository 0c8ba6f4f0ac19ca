import { effect, type Signal, signal } from "@preact/signals";
import { words } from "../../languages/language.ts";
import { type EnteredFacts, sharedFacts } from "../../state/facts.ts";
import { notice } from "../../state/notice.ts";
import { savedPlots } from "../../state/saved.ts";
import { addPlots, answerer, plots, ruleset } from "../../state/store.ts";
import { packList, unpackList } from "./kept-list.ts";
import { KeptStore } from "./kept-store.ts";
import { isKeepingWanted, setKeepingWanted } from "./opt-in.ts";
import { type KeptEntry, makeRoom } from "./room.ts";

/**
 * The state of keeping: `elsewhere` if another tab keeps its list, `refused` if the browser or the limit refuses. In these
 * cases leaving the page stays a question.
 */
export type Keeping = "off" | "starting" | "on" | "elsewhere" | "refused";

export const keeping: Signal<Keeping> = signal("off");

/** A list of an earlier visit for this service and ruleset. While it waits, nothing replaces it. */
export const offeredList: Signal<KeptEntry | undefined> = signal(undefined);

/** The lock that one tab has while it keeps its list. */
const LOCK = "groundrule-keep";
const SAVE_AFTER_MS = 1_000;

let store: KeptStore | undefined;
let release: () => void = () => {};
let stop: () => void = () => {};
/** Keys of lists that this page wrote, restored or removed. */
let own = new Set<string>();
/** Steps run one after another. */
let work: Promise<unknown> = Promise.resolve();

/** Keeps the list from now on, as the user wishes. */
export async function startKeeping(): Promise<void> {
  if (keeping.peek() !== "off") return;
  keeping.value = "starting";
  try {
    setKeepingWanted(true);
    if (!(await takeLock())) {
      keeping.value = "elsewhere";
      return;
    }
    store = await KeptStore.open();
    keeping.value = "on";
    stop = watchList();
  } catch {
    stopKeeping("refused");
  }
}

/** Removes everything that is kept, and keeps nothing from now on. */
export async function removeKept(): Promise<void> {
  const opened = store;
  stopKeeping("off");
  savedPlots.value = undefined;
  await work;
  setKeepingWanted(false);
  await (opened ?? (await KeptStore.open())).delete();
}

/** Adds the offered list to the page. */
export async function restoreOffered(): Promise<void> {
  const [offered, by] = [offeredList.peek(), answerer.peek()];
  const content = offered && (await store?.content(offered.key));
  if (offered === undefined || content === undefined || by === undefined) return;
  const list = await unpackList(content, by);
  // The answers are of the ruleset and the service for which the list was kept.
  if (answerer.peek() !== by || offeredList.peek() !== offered) return;
  own.add(offered.key);
  sharedFacts.value = { ...(list.sharedFacts as EnteredFacts), ...sharedFacts.peek() };
  addPlots(list.plots);
  offeredList.value = undefined;
}

/** Removes the offered list. */
export async function removeOffered(): Promise<void> {
  const offered = offeredList.peek();
  if (offered === undefined) return;
  await store?.remove(offered.key);
  own.add(offered.key);
  offeredList.value = undefined;
}

/** Starts where the user wished so on an earlier visit. */
export function continueKeeping(): void {
  if (isKeepingWanted()) void startKeeping();
}

/** True if no other tab has the lock. Where browsers have no locks, as without https, tabs cannot be told apart. */
function takeLock(): Promise<boolean> {
  if (!("locks" in navigator)) return Promise.reject(new Error("there are no locks"));
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(LOCK, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock === null
          ? undefined
          : new Promise<void>((resolve) => {
              release = resolve;
            });
      })
      .catch(reject);
  });
}

function stopKeeping(state: Keeping): void {
  stop();
  release();
  [stop, release, store, own] = [() => {}, () => {}, undefined, new Set()];
  offeredList.value = undefined;
  keeping.value = state;
}

function watchList(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stopOffers = effect(() => {
    const key = findListKey();
    offeredList.value = undefined;
    if (key !== undefined) void offerList(key);
  });
  const stopSaves = effect(() => {
    void [plots.value, sharedFacts.value, offeredList.value, findListKey()];
    clearTimeout(timer);
    timer = setTimeout(() => {
      work = work.then(saveList).catch(() => stopKeeping("refused"));
    }, SAVE_AFTER_MS);
  });
  return () => {
    stopOffers();
    stopSaves();
    clearTimeout(timer);
  };
}

/** The service and the ruleset of the list; a ruleset without a name in a catalog has an empty one. */
function findListKey(): string | undefined {
  const [by, chosen] = [answerer.value, ruleset.value];
  if (by === undefined || chosen === undefined) return undefined;
  return JSON.stringify([by.service?.address ?? "here", isNamed() && "id" in chosen ? chosen.id : ""]);
}

/** True if the name of the ruleset says later by what the answers are. */
function isNamed(): boolean {
  const chosen = ruleset.value;
  return chosen !== undefined && "id" in chosen && chosen.without === undefined;
}

async function offerList(key: string): Promise<void> {
  if (own.has(key)) return;
  const entries = (await store?.entries().catch(() => [])) ?? [];
  const entry = entries.find((each) => each.key === key);
  if (findListKey() !== key || own.has(key)) return;
  if (entry === undefined) own.add(key);
  else offeredList.value = entry;
}

async function saveList(): Promise<void> {
  const [key, now] = [findListKey(), plots.peek()];
  if (store === undefined || key === undefined || now.length === 0 || !own.has(key)) return;
  if (savedPlots.peek() === now) return;
  const content = await packList({ plots: now, sharedFacts: sharedFacts.peek() }, isNamed());
  const entry = { key, plots: now.length, savedAt: Date.now(), bytes: content.byteLength };
  const removed = makeRoom(await store.entries(), entry);
  if (removed === undefined) throw new Error("the list is too large");
  await store.put(
    entry,
    content,
    removed.map((each) => each.key),
  );
  if (removed.length > 0) notice.value = words.peek().keepMadeRoom(removed.length);
  savedPlots.value = now;
}
