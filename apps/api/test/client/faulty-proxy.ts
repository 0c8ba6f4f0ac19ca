import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Faults of a request between a client and the service. */
export const FAULTS = [
  /** The connection breaks before the service is asked. */
  "drop before",
  /** The service answers, and nobody hears it. */
  "drop after",
  /** The answer comes when the client has given up, so each takes as long as its patience. */
  "late",
  /** The request is sent twice at once, as proxies do that try again by themselves. */
  "twice",
  /** The connection breaks in the middle of the body. */
  "cut",
  /** The body ends in its middle as if that were its end. */
  "cut cleanly",
  /** A page of a proxy in place of the answer, before or after the service was asked. */
  "bad gateway",
  "unavailable",
  "gateway after",
  /** The page of a captive portal. */
  "portal",
  /** A success with nothing in it. */
  "empty",
] as const;

export type Fault = (typeof FAULTS)[number];

export interface FaultyProxy {
  readonly url: string;
  /** How often each fault happened; `none` where nothing did. */
  readonly counts: ReadonlyMap<Fault | "none", number>;
  /** Resolves when the service has answered everything that was passed on to it. */
  quiet(): Promise<void>;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/**
 * Stands between clients and a service and does to their requests what networks do.
 *
 * @param decide called for every request
 */
export async function startFaultyProxy(
  target: string,
  decide: (incoming: IncomingMessage) => Fault | undefined,
): Promise<FaultyProxy> {
  const counts = new Map<Fault | "none", number>();
  const underWay = new Set<Promise<unknown>>();
  const agent = new Agent({ keepAlive: true, maxSockets: 128 });

  const passOn = (incoming: IncomingMessage, body: Buffer): Promise<Answer> => {
    const answered = forwardRequest(target, agent, incoming, body);
    const settled = answered.catch(() => {}).finally(() => underWay.delete(settled));
    underWay.add(settled);
    return answered;
  };

  const server = createServer(async (incoming, response) => {
    incoming.on("error", () => {});
    response.on("error", () => {});
    const body = await readMessageBody(incoming).catch(() => undefined);
    if (body === undefined) return;
    const fault = decide(incoming);
    counts.set(fault ?? "none", (counts.get(fault ?? "none") ?? 0) + 1);
    await sendFaultyAnswer(fault, response, () => passOn(incoming, body)).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const quiet = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all(underWay);
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    quiet,
    close: async () => {
      await quiet();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      agent.destroy();
    },
  };
}

async function sendFaultyAnswer(
  fault: Fault | undefined,
  response: ServerResponse,
  passOn: () => Promise<Answer>,
): Promise<void> {
  switch (fault) {
    case undefined:
      return sendAnswer(response, await passOn());
    case "drop before":
      return void response.destroy();
    case "drop after":
      await passOn();
      return void response.destroy();
    case "late": {
      const isGone = once(response, "close");
      const answered = await passOn();
      await isGone;
      return sendAnswer(response, answered);
    }
    case "twice": {
      const twins = [passOn(), passOn()] as const;
      const first = await Promise.race(twins);
      return sendAnswer(response, first);
    }
    case "cut":
      return sendCutAnswer(response, await passOn());
    case "cut cleanly": {
      const { headers, status, body } = await passOn();
      const { "content-length": _, ...others } = headers;
      return sendAnswer(response, { status, headers: others, body: body.subarray(0, body.length >> 1) });
    }
    case "bad gateway":
      return sendErrorPage(response, 502, "Bad gateway");
    case "unavailable":
      response.setHeader("Retry-After", "1");
      return sendErrorPage(response, 503, "Unavailable");
    case "gateway after":
      await passOn();
      return sendErrorPage(response, 504, "Gateway timeout");
    case "portal":
      return sendErrorPage(response, 200, "Sign in to this network");
    case "empty":
      await passOn();
      return sendAnswer(response, { status: 200, headers: {}, body: Buffer.alloc(0) });
  }
}

function sendAnswer(response: ServerResponse, { status, headers, body }: Answer): void {
  const { connection: _, "transfer-encoding": __, ...kept } = headers;
  response.writeHead(status, kept).end(body);
}

function sendErrorPage(response: ServerResponse, status: number, title: string): void {
  const body = Buffer.from(`<!doctype html><title>${title}</title><h1>${title}</h1>`);
  sendAnswer(response, { status, headers: { "content-type": "text/html" }, body });
}

function sendCutAnswer(response: ServerResponse, { status, headers, body }: Answer): void {
  const { connection: _, "transfer-encoding": __, ...kept } = headers;
  response.writeHead(status, { ...kept, "content-length": String(body.length) });
  response.write(body.subarray(0, body.length >> 1), () => response.destroy());
}

async function forwardRequest(
  target: string,
  agent: Agent,
  incoming: IncomingMessage,
  body: Buffer,
): Promise<Answer> {
  const {
    host: _,
    connection: __,
    "accept-encoding": ___,
    "transfer-encoding": ____,
    ...headers
  } = incoming.headers;
  const upstream = request(new URL(incoming.url ?? "/", target), {
    agent,
    ...(incoming.method !== undefined && { method: incoming.method }),
    headers: { ...headers, "content-length": String(body.length) },
  });
  upstream.end(body);
  const [received] = (await once(upstream, "response")) as [IncomingMessage];
  return {
    status: received.statusCode ?? 0,
    headers: received.headers,
    body: await readMessageBody(received),
  };
}

async function readMessageBody(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part);
  return Buffer.concat(parts);
}
