import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { buildProblem, ERRORS, type ErrorCode, PROBLEM_MEDIA_TYPE } from "@groundrule/contract";
import { Refusal } from "@groundrule/service";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import type { Cors } from "../exchange/cors.ts";
import type { ApiEnv } from "../exchange/env.ts";
import { LoopTurns } from "../exchange/loop-turns.ts";
import type { Outbox } from "../exchange/outbox.ts";
import { createProblemResponse } from "../exchange/problems.ts";
import { mintRequestId } from "../exchange/request/request-id.ts";
import type { ConnectionTurns } from "./turns.ts";

const MAX_HEADER_LINES = 64;

export interface HardenedServerOptions {
  readonly outbox: Outbox;
  /** Origins whose pages may read the problems that this server itself writes. */
  readonly cors: Cors;
  /** Tracks the answers in progress. */
  readonly turns: ConnectionTurns;
  /** Called with each answer when its request's turn has come. */
  readonly onTurn: (outgoing: ServerResponse) => void;
}

/**
 * A server that withstands its peers: one that sends malformed or slow HTTP gets a problem and loses its connection;
 * pipelined requests wait for their turn; connections of peers that do not read their answers are closed.
 */
export function createHardenedServer(
  fetch: (request: Request, bindings: ApiEnv["Bindings"]) => Response | Promise<Response>,
  { outbox, cors, turns, onTurn }: HardenedServerOptions,
): Server {
  const listener = getRequestListener(
    (request, bindings) => fetch(request, { ...(bindings as HttpBindings), outbox }),
    {
      errorHandler: () =>
        createProblemResponse(new Refusal("MALFORMED_REQUEST", MALFORMED), {
          "X-Request-Id": mintRequestId(),
        }),
      // For requests without a Host: health probes speak HTTP/1.0.
      hostname: "localhost",
    },
  );
  const starts = new LoopTurns(STARTS_A_TURN);
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    onTurn(outgoing);
    const fault = findMessageFault(incoming);
    if (fault === undefined) await listener(incoming, outgoing);
    else writeRefusal(outgoing, cors, ...fault);
    if (outgoing.writableLength > 0) outbox.hold(outgoing);
  };
  const server = createServer(
    {
      headersTimeout: 5_000,
      requestTimeout: 15_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 16 * 1024,
      // A missing Host is refused below, as a problem.
      requireHostHeader: false,
    },
    (incoming, outgoing) =>
      turns.take(incoming, outgoing, () => {
        // One lane per `Authorization` header, as far as it is known yet.
        starts.take(incoming.headers.authorization ?? "", () => void answer(incoming, outgoing));
      }),
  );
  server.timeout = 30_000;
  server.maxHeadersCount = MAX_HEADER_LINES;
  server.on("clientError", (error, socket) =>
    turns.endAfterAnswers(socket as Socket, (broken) => answerBrokenMessage(error, socket, cors, broken)),
  );
  const watching = setInterval(() => outbox.endStalled(), WATCH_MS).unref();
  server.once("close", () => clearInterval(watching));
  return server;
}

const WATCH_MS = 1_000;

/** Requests started per turn of the event loop: some 2 ms of work. */
const STARTS_A_TURN = 32;

/** Finds messages that Node accepts and we refuse: a proxy in front of us may read them differently. */
function findMessageFault({
  rawHeaders,
  headers,
  httpVersion,
}: IncomingMessage): [ErrorCode, string] | undefined {
  // Beyond maxHeadersCount older Nodes drop headers silently; a request that may have lost some is refused.
  if (rawHeaders.length > 2 * MAX_HEADER_LINES) {
    return [
      "HEADERS_TOO_LARGE",
      `Found more than ${MAX_HEADER_LINES} header lines, expected at most that many.`,
    ];
  }
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === "host") hosts++;
  }
  const isOld = httpVersion === "1.0";
  if (hosts > 1 || (hosts === 0 && !isOld)) {
    return ["MALFORMED_REQUEST", `Found ${hosts} Host lines, expected one.`];
  }
  const coding = headers["transfer-encoding"];
  if (coding === undefined) return undefined;
  if (isOld)
    return ["MALFORMED_REQUEST", "Found Transfer-Encoding in an HTTP/1.0 message, expected Content-Length."];
  if (coding.trim().toLowerCase() === "chunked") return undefined;
  return [
    "TRANSFER_ENCODING_UNSUPPORTED",
    "Found a transfer coding other than chunked; send the body in chunks or with a Content-Length, and not compressed.",
  ];
}

function writeRefusal(outgoing: ServerResponse, cors: Cors, code: ErrorCode, detail: string): void {
  outgoing.shouldKeepAlive = false;
  const { body, headers } = createBareProblem(code, detail, cors, outgoing);
  outgoing.writeHead(ERRORS[code].status, headers).end(body);
}

const MALFORMED = "The message is not valid HTTP, or its request target or Host header is not valid.";

/**
 * Sends a problem for a message that never became a request, and closes its connection.
 *
 * @param broken the answer to that message if its headers had arrived; the problem must not land in the middle of it
 */
function answerBrokenMessage(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  cors: Cors,
  broken: ServerResponse | undefined,
): void {
  if (!socket.writable || (broken?.headersSent === true && !broken.writableFinished)) {
    socket.destroy();
    return;
  }
  const [code, detail] = BROKEN_MESSAGES[error.code ?? ""] ?? (["MALFORMED_REQUEST", MALFORMED] as const);
  const { body, headers } = createBareProblem(code, detail, cors, broken);
  const lines = Object.entries({ ...headers, Connection: "close" }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end(
    [`HTTP/1.1 ${ERRORS[code].status} ${ERRORS[code].title}`, ...lines, "", body].join("\r\n"),
    // A peer that neither reads nor disconnects would keep the connection open.
    () => socket.destroy(),
  );
}

const BROKEN_MESSAGES: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ["REQUEST_TIMEOUT", "The request did not arrive in time."],
  HPE_HEADER_OVERFLOW: [
    "HEADERS_TOO_LARGE",
    `The headers are larger than 16 KiB or more than ${MAX_HEADER_LINES} lines.`,
  ],
};

/** A problem written outside the app, with the headers of every problem. */
function createBareProblem(
  code: ErrorCode,
  detail: string,
  cors: Cors,
  outgoing: ServerResponse | undefined,
): { body: string; headers: Record<string, string> } {
  const id = mintRequestId();
  const body = JSON.stringify(buildProblem(code, detail, id));
  return {
    body,
    headers: {
      "Content-Type": PROBLEM_MEDIA_TYPE,
      "Content-Length": String(Buffer.byteLength(body)),
      "Cache-Control": "no-store",
      "X-Request-Id": id,
      ...cors.headersFor(outgoing?.req.headers.origin),
    },
  };
}
