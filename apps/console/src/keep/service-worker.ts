// The service worker: stores the files of the page in this browser, so that it opens and works without a network.

export {}; // makes this a module with its own names

/** Prepended by the build: the names of the page's files, and a digest of them. */
declare const PAGE_FILES: readonly string[];
declare const PAGE_EDITION: string;

interface WaitingEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface AskingEvent extends WaitingEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
/** The members of a service worker's scope that the types for pages lack. */
interface ServiceWorkerScope {
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  addEventListener(type: "install" | "activate", listener: (event: WaitingEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: AskingEvent) => void): void;
}

const worker = self as unknown as ServiceWorkerScope;
const folder = worker.registration.scope;
/** An origin may have several pages, each in its folder. */
const prefix = `groundrule ${folder} `;
const cacheName = `${prefix}${PAGE_EDITION}`;
const CONFIG = "config.json";

/** Files of any build whose names change with their content. */
const HASHED = "assets/";
const OTHERS: ReadonlySet<string> = new Set([
  "",
  CONFIG,
  ...PAGE_FILES.filter((name) => !name.startsWith(HASHED)),
]);

worker.addEventListener("install", (event) => event.waitUntil(cachePageFiles()));
worker.addEventListener("activate", (event) => event.waitUntil(deleteEarlierCaches()));
worker.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  // The service and data files are not part of the page, and no key passes here.
  const name = url.startsWith(folder) ? url.slice(folder.length).replace(/#.*/, "") : undefined;
  if (method !== "GET" || name === undefined) return;
  if (name.startsWith(HASHED)) event.respondWith(fetchCacheFirst(event.request));
  else if (OTHERS.has(name)) event.respondWith(fetchNetworkFirst(event.request));
});

/** Fails if a file does not load; it is tried again when the page is next opened. */
async function cachePageFiles(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll(["", ...PAGE_FILES].map((name) => new URL(name, folder).href));
  // A page on a static host may have no configuration; then its absence is stored.
  const config = new URL(CONFIG, folder).href;
  await cache.put(config, await fetch(config));
  // From now on the page without its host is of this build, even if an earlier build's worker still opens it: that
  // one's stored page may have come with outdated headers.
  for (const name of await listEarlierCaches()) await (await caches.open(name)).delete(folder);
}

/** No page of an earlier edition is open any more. */
async function deleteEarlierCaches(): Promise<void> {
  for (const name of await listEarlierCaches()) await caches.delete(name);
  await worker.clients.claim();
}

async function listEarlierCaches(): Promise<readonly string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName);
}

async function fetchCacheFirst(request: Request): Promise<Response> {
  return (await findCachedResponse(request)) ?? fetch(request);
}

/**
 * Returns the host's current file, so that a page is never older than its host; the stored file if the host does not
 * respond.
 */
async function fetchNetworkFirst(request: Request): Promise<Response> {
  const answer = await fetch(request).catch((error: Error) => error);
  if (answer instanceof Response && answer.status < 500) return answer;
  const before = await findCachedResponse(request);
  if (before !== undefined) return before;
  if (answer instanceof Response) return answer;
  throw answer;
}

/**
 * Finds the file in any stored build: a page may be of the next build, whose worker waits until this one has no page
 * any more.
 */
async function findCachedResponse({ url }: Request): Promise<Response | undefined> {
  return caches.match(url);
}
