import { lookup as resolveHost } from "node:dns";
import { lookup as resolveName } from "node:dns/promises";
import { once } from "node:events";
import {
  type ClientRequest,
  type IncomingMessage,
  Agent as PlainAgent,
  request as plainRequest,
} from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isLoopback } from "@groundrule/ingest";
import { SyncError } from "../sync-error.ts";
import { assertRedirectAllowed, isPublicAddress, redactAddress } from "./address.ts";

/** How requests are made. */
export interface ExchangeOptions {
  readonly allowHttp: boolean;
  /** Longest time without a byte. */
  readonly stallMs: number;
  /** Ends the exchange; its reason is thrown. */
  readonly signal: AbortSignal;
  /** Variables that name proxies, as `HTTPS_PROXY` and `NO_PROXY`; absent: none is used. */
  readonly proxies?: NodeJS.ProcessEnv | undefined;
}

/** Response of a server, its body still to be read. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  /** The address that answered, after all redirects. */
  readonly url: URL;
  /** The body as it was sent. Fails: `FETCH_INCOMPLETE`, `FETCH_STALLED`. */
  body(): AsyncGenerator<Uint8Array>;
  /** Ends the exchange without its body. */
  discard(): void;
}

const REDIRECT_LIMIT = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Requests an address and follows its redirects, at most five, to `https` alone: never to another scheme, never from
 * `https` to `http`, and from a public host never into a network that is not public.
 *
 * Fails: `FETCH_ADDRESS`, `FETCH_REDIRECTS`, `FETCH_STALLED`, `FETCH_UNAVAILABLE`.
 */
export async function sendRequest(
  address: URL,
  headers: Readonly<Record<string, string>>,
  options: ExchangeOptions,
  method: "GET" | "HEAD" = "GET",
): Promise<Answer> {
  let url = address;
  let staysPublic = false;
  for (let hops = 0; ; hops++) {
    if (staysPublic) await assertPublicAddress(url, address, options);
    const exchange = await sendRequestOnce(url, headers, staysPublic, options, method);
    const { request, response } = exchange;
    const { location } = response.headers;
    const status = response.statusCode ?? 0;
    if (!REDIRECTS.has(status) || location === undefined) {
      return {
        status,
        headers: response.headers,
        url,
        body: () => readResponseBody(exchange, url, options),
        discard: () => request.destroy(),
      };
    }
    staysPublic ||= isPublic(url, exchange);
    request.destroy();
    if (hops === REDIRECT_LIMIT) {
      const message = `${redactAddress(address)} was redirected more than ${REDIRECT_LIMIT} times, the last time to ${redactAddress(url)}`;
      throw new SyncError("FETCH_REDIRECTS", message, { url: redactAddress(address) });
    }
    url = resolveRedirect(url, location, options.allowHttp);
  }
}

function resolveRedirect(from: URL, location: string, allowHttp: boolean): URL {
  if (!URL.canParse(location, from)) {
    const message = `${redactAddress(from)} is redirected to no address that can be read`;
    throw new SyncError("FETCH_ADDRESS", message, { url: redactAddress(from) });
  }
  const to = new URL(location, from);
  assertRedirectAllowed(from, to, allowHttp);
  return to;
}

/**
 * True if the publisher that answered is of the public internet. For a proxy, the socket shows only the proxy's
 * address: behind one a name counts as public, whatever it means here.
 */
function isPublic({ hostname }: URL, { response, connectedTo }: Exchange): boolean {
  const literal = toLiteral(hostname);
  if (literal !== undefined) return isPublicAddress(literal);
  if (connectedTo === "publisher") return isPublicAddress(response.socket.remoteAddress ?? "");
  return !isLoopback(hostname);
}

/**
 * Refuses to be led into a network that is not public. A direct connection goes to the very addresses that {@link
 * publicLookup} judges. A proxy looks names up itself: their meaning here is judged before the request, and a name
 * that cannot be looked up here could mean anything there. The name in the operator's manifest is trusted.
 *
 * Fails: `FETCH_ADDRESS`.
 */
async function assertPublicAddress(
  url: URL,
  written: URL,
  { signal, proxies = {} }: ExchangeOptions,
): Promise<void> {
  const literal = toLiteral(url.hostname);
  if (literal !== undefined) {
    if (!isPublicAddress(literal)) throw privateRedirectError(url);
    return;
  }
  const mayBeProxied = PROXY_VARIABLES.some((name) => proxies[name]);
  if (!mayBeProxied || url.hostname === written.hostname) return;
  const addresses = await resolveName(url.hostname, { all: true }).catch(() => []);
  signal.throwIfAborted();
  if (addresses.length === 0) throw unverifiableRedirectError(url);
  if (addresses.some(({ address }) => !isPublicAddress(address))) throw privateRedirectError(url);
}

const PROXY_VARIABLES = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"] as const;

/** The IP address that a host of a URL is, if it is one. */
function toLiteral(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, "");
  return isIP(bare) === 0 ? undefined : bare;
}

interface Exchange {
  readonly request: ClientRequest;
  readonly response: IncomingMessage;
  /** Whom the socket leads to; a proxy where the name of the URL was not looked up here, nor is an address. */
  readonly connectedTo: "publisher" | "proxy";
  /** Resolves when it has ended, with the fault that ended it. */
  readonly ended: Promise<Error | undefined>;
}

async function sendRequestOnce(
  url: URL,
  headers: Readonly<Record<string, string>>,
  staysPublic: boolean,
  { stallMs, signal, proxies }: ExchangeOptions,
  method: "GET" | "HEAD",
): Promise<Exchange> {
  signal.throwIfAborted();
  const [send, Agent] = url.protocol === "https:" ? [secureRequest, SecureAgent] : [plainRequest, PlainAgent];
  const proxyEnv = proxies === undefined ? {} : { proxyEnv: proxies };
  let connectedTo: Exchange["connectedTo"] = "proxy";
  const lookup: LookupFunction = (hostname, lookupOptions, callback) => {
    connectedTo = "publisher";
    (staysPublic ? publicLookup : anyLookup)(hostname, lookupOptions, callback);
  };
  const request = send(url, {
    method,
    agent: new Agent({ keepAlive: false, ...proxyEnv }),
    headers: { "accept-encoding": "identity", "user-agent": "groundrule-sync", ...headers },
    lookup,
  });
  // A reason may be anything.
  const stop = () => request.destroy(new Error("stopped"));
  signal.addEventListener("abort", stop, { once: true });
  request.once("close", () => signal.removeEventListener("abort", stop));
  const timer = setTimeout(() => request.destroy(stalledError(url, stallMs)), stallMs);
  // A fault after the response is reported by its body, and must not end the process.
  request.on("error", () => {});
  const ended = awaitRequestEnd(request);
  try {
    request.end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    return { request, response, connectedTo, ended };
  } catch (error) {
    request.destroy();
    signal.throwIfAborted();
    throw toUnreachedError(error, url);
  } finally {
    clearTimeout(timer);
  }
}

async function* readResponseBody(
  { request, response, ended }: Exchange,
  url: URL,
  { stallMs, signal }: ExchangeOptions,
): AsyncGenerator<Uint8Array> {
  const chunks = response[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const following = () => {
    // Only while we wait: a slow disk is no stalled server.
    const timer = setTimeout(() => request.destroy(stalledError(url, stallMs)), stallMs);
    return chunks.next().finally(() => clearTimeout(timer));
  };
  try {
    for (let next = await following(); next.done !== true; next = await following()) yield next.value;
    const fault = await ended;
    if (fault !== undefined) throw fault;
  } catch (error) {
    signal.throwIfAborted();
    throw toInterruptedError(await Promise.race([ended, Promise.resolve(undefined)]), error, url);
  } finally {
    request.destroy();
  }
}

/** The fault that ended a request, or undefined. Bytes beyond the declared length are a fault. */
function awaitRequestEnd(request: ClientRequest): Promise<Error | undefined> {
  return new Promise((resolve) => {
    request.once("error", resolve);
    request.once("close", () => resolve(undefined));
  });
}

function toInterruptedError(ended: Error | undefined, error: unknown, url: URL): unknown {
  for (const each of [ended, error]) if (each instanceof SyncError) return each;
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (code.startsWith("HPE_")) {
    const message = `${redactAddress(url)} sent more than it declared, or no valid HTTP (${code})`;
    return new SyncError("FETCH_INCOMPLETE", message, { url: redactAddress(url) }, { fromScratch: true });
  }
  const message = `the connection to ${redactAddress(url)} ended before its answer did`;
  return new SyncError("FETCH_INCOMPLETE", message, { url: redactAddress(url) }, {});
}

function toUnreachedError(error: unknown, url: URL): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (error instanceof SyncError || (code === undefined && syscall === undefined)) return error;
  return new SyncError(
    "FETCH_UNAVAILABLE",
    `${redactAddress(url)} cannot be reached: ${REASONS.get(code ?? "") ?? message}`,
    { url: redactAddress(url), reason: code },
    {},
  );
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOTFOUND", "there is no such host"],
  ["EAI_AGAIN", "the name of its host cannot be looked up"],
  ["ECONNREFUSED", "its host refuses the connection"],
  ["ECONNRESET", "the connection ended before an answer"],
]);

function stalledError(url: URL, stallMs: number): SyncError {
  const message = `${redactAddress(url)} sent no byte for ${stallMs / 1000} s`;
  return new SyncError("FETCH_STALLED", message, { url: redactAddress(url), seconds: stallMs / 1000 }, {});
}

function privateRedirectError(url: URL): SyncError {
  const message = `a public host redirects to ${redactAddress(url)}, in a network that is not public`;
  return new SyncError("FETCH_ADDRESS", message, { url: redactAddress(url) });
}

function unverifiableRedirectError(url: URL): SyncError {
  const message = `a public host redirects to ${redactAddress(url)}, whose host cannot be looked up here, so that a proxy could be led into a network that is not public; write that address into the manifest, or let this machine look the host up`;
  return new SyncError("FETCH_ADDRESS", message, { url: redactAddress(url) });
}

const anyLookup: LookupFunction = (hostname, options, callback) => {
  resolveHost(hostname, options, callback);
};

/** The look-up of host names that refuses those in networks that are not public. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolveHost(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, []);
    if (addresses.some(({ address }) => !isPublicAddress(address))) {
      return callback(privateRedirectError(new URL(`https://${hostname}`)), []);
    }
    if (options.all === true) return callback(null, addresses);
    const [first] = addresses;
    callback(null, first?.address ?? "", first?.family);
  });
};
