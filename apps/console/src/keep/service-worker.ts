// The service worker: keeps the files of the page in this browser, so that it works, and opens, without a network.

export {}; // a module, so that its names are its own

/** Put before this by the build: the names of the page's files, and a digest of them. */
declare const PAGE_FILES: readonly string[];
declare const PAGE_EDITION: string;

interface WaitingEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface AskingEvent extends WaitingEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
/** What a service worker has beyond what every page has, which is all that the types of pages tell. */
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

/** Files whose names change with their content, of whichever build. */
const HASHED = "assets/";
const OTHERS: ReadonlySet<string> = new Set([
  "",
  CONFIG,
  ...PAGE_FILES.filter((name) => !name.startsWith(HASHED)),
]);

worker.addEventListener("install", (event) => event.waitUntil(keepFiles()));
worker.addEventListener("activate", (event) => event.waitUntil(takeOver()));
worker.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  // Neither the service nor the files of data are of the page, and no key passes here.
  const name = url.startsWith(folder) ? url.slice(folder.length).replace(/#.*/, "") : undefined;
  if (method !== "GET" || name === undefined) return;
  if (name.startsWith(HASHED)) event.respondWith(keptFirst(event.request));
  else if (OTHERS.has(name)) event.respondWith(networkFirst(event.request));
});

/** Fails, and is tried again when the page is next opened, where a file does not come. */
async function keepFiles(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll(["", ...PAGE_FILES].map((name) => new URL(name, folder).href));
  // A page of a static host may have none; that it has none is what is kept.
  const config = new URL(CONFIG, folder).href;
  await cache.put(config, await fetch(config));
  // Without its host the page is of this build from now on, also where the worker of an earlier one still opens it: what
  // that one kept may have come with headers of its time.
  for (const name of await earlierCaches()) await (await caches.open(name)).delete(folder);
}

/** No page of an earlier edition is open any more. */
async function takeOver(): Promise<void> {
  for (const name of await earlierCaches()) await caches.delete(name);
  await worker.clients.claim();
}

async function earlierCaches(): Promise<readonly string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName);
}

async function keptFirst(request: Request): Promise<Response> {
  return (await kept(request)) ?? fetch(request);
}

/** What the host has now, so that a page is never older than its host; what was kept, where no host answers for it. */
async function networkFirst(request: Request): Promise<Response> {
  const answer = await fetch(request).catch((error: Error) => error);
  if (answer instanceof Response && answer.status < 500) return answer;
  const before = await kept(request);
  if (before !== undefined) return before;
  if (answer instanceof Response) return answer;
  throw answer;
}

/** From any build that is kept: a page may be of the next one, whose worker waits until this one has no page any more. */
async function kept({ url }: Request): Promise<Response | undefined> {
  return caches.match(url);
}
