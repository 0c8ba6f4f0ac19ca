import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import {
  type AddressInfo,
  createServer as createRawServer,
  type Server as RawServer,
  type Socket,
} from "node:net";

/** A server of a test: what it answers can change between requests, and it remembers what it was asked. */
export interface TestServer {
  readonly url: string;
  /** Header fields of each request, in order. */
  readonly requests: {
    readonly method: string;
    readonly path: string;
    readonly headers: IncomingMessage["headers"];
  }[];
  answer: (request: IncomingMessage, response: ServerResponse, count: number) => void;
  close(): Promise<void>;
}

export async function startTestServer(): Promise<TestServer> {
  const requests: TestServer["requests"] = [];
  const server = createServer((request, response) => {
    requests.push({ method: request.method ?? "", path: request.url ?? "", headers: request.headers });
    response.on("error", () => {});
    started.answer(request, response, requests.length);
  });
  const started: TestServer = {
    url: await listenLocally(server),
    requests,
    answer: (_, response) => response.writeHead(500).end(),
    close: () => closeServer(server, () => server.closeAllConnections()),
  };
  return started;
}

/** A server that writes bytes as they are, so that it can lie. */
export async function startRawServer(
  answer: (socket: Socket, request: string, count: number) => void,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createRawServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", (head) => answer(socket, head.toString("latin1"), ++count));
  });
  const url = await listenLocally(server);
  return {
    url,
    close: () =>
      closeServer(server, () => {
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function listenLocally(server: Server | RawServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function closeServer(server: Server | RawServer, endConnections: () => void): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    endConnections();
  });
}

/** A file as a server has it. */
export interface ServedFile {
  readonly bytes: Uint8Array;
  readonly etag?: string | undefined;
  /** Where the connection ends early: after so many bytes, once so many bytes of the file have arrived. */
  readonly cut?: { readonly at: number; readonly arrived: () => number } | undefined;
}

/** Answers as a file server with ranges and validators does. */
export function serveFile(
  request: IncomingMessage,
  response: ServerResponse,
  { bytes, etag, cut }: ServedFile,
): void {
  const { "if-none-match": known, range, "if-range": condition } = request.headers;
  const validators = etag === undefined ? {} : { etag };
  if (etag !== undefined && known === etag) return void response.writeHead(304, validators).end();
  const isSame = condition === undefined || condition === etag;
  const from = isSame ? Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0) : 0;
  const rest = bytes.subarray(from);
  const partial = { "content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
  response.writeHead(from > 0 ? 206 : 200, {
    ...validators,
    ...(from > 0 && partial),
    "content-length": rest.length,
  });
  if (cut === undefined) return void response.end(rest);
  response.write(rest.subarray(0, cut.at));
  const look = setInterval(() => {
    if (cut.arrived() < from + cut.at) return;
    response.destroy();
  }, 5);
  response.on("close", () => clearInterval(look));
}
