import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { ERRORS, type ErrorCode, PROBLEM_MEDIA_TYPE, problemOf } from "@groundrule/contract";
import { getRequestListener } from "@hono/node-server";
import { problemResponse } from "./problems.ts";
import { Refusal } from "./refusal.ts";
import { mintRequestId } from "./request-id.ts";

const MAX_HEADER_LINES = 64;

/**
 * A server that answers peers who speak HTTP badly, slowly or without end with a problem, and loses them.
 *
 * @param running holds the answers that are under way
 */
export function hardenedServer(
  fetch: (request: Request, bindings: object) => Response | Promise<Response>,
  running: Set<ServerResponse>,
): Server {
  const listener = getRequestListener(fetch, {
    errorHandler: () => problemResponse(new Refusal("MALFORMED_REQUEST", MALFORMED), mintRequestId()),
  });
  const answers = new WeakMap<Duplex, ServerResponse>();
  const server = createServer(
    {
      headersTimeout: 5_000,
      requestTimeout: 15_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 16 * 1024,
      // A missing Host is refused by the listener, as a problem.
      requireHostHeader: false,
    },
    (incoming: IncomingMessage, outgoing: ServerResponse) => {
      answers.set(incoming.socket, outgoing);
      running.add(outgoing);
      outgoing.once("close", () => running.delete(outgoing));
      // Beyond maxHeadersCount Node drops headers without a word; a request that loses some is refused.
      if (incoming.rawHeaders.length > 2 * MAX_HEADER_LINES) {
        outgoing.shouldKeepAlive = false;
        const body = problemText(
          "HEADERS_TOO_LARGE",
          `More than ${MAX_HEADER_LINES} header lines were sent.`,
        );
        outgoing.writeHead(431, { "Content-Type": PROBLEM_MEDIA_TYPE }).end(body);
        return;
      }
      void listener(incoming, outgoing);
    },
  );
  server.timeout = 30_000;
  server.maxHeadersCount = MAX_HEADER_LINES;
  server.on("clientError", (error, socket) => answerBrokenMessage(error, socket, answers.get(socket)));
  return server;
}

const MALFORMED = "The message is not valid HTTP, or its target or Host is not valid.";

/**
 * A message that never became a request still gets a problem, and then loses its connection.
 *
 * @param last the last answer on that connection; the problem must not land in the middle of it
 */
function answerBrokenMessage(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  last: ServerResponse | undefined,
): void {
  if (!socket.writable || (last?.headersSent === true && !last.writableFinished)) {
    socket.destroy();
    return;
  }
  const [code, detail] = BROKEN_MESSAGES[error.code ?? ""] ?? (["MALFORMED_REQUEST", MALFORMED] as const);
  const body = problemText(code, detail);
  socket.end(
    `HTTP/1.1 ${ERRORS[code].status} ${ERRORS[code].title}\r\nContent-Type: ${PROBLEM_MEDIA_TYPE}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    // A peer that neither reads nor hangs up would hold the connection.
    () => socket.destroy(),
  );
}

const BROKEN_MESSAGES: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ["REQUEST_TIMEOUT", "The request did not arrive in time."],
  HPE_HEADER_OVERFLOW: ["HEADERS_TOO_LARGE", "The headers are larger than 16 KiB."],
};

function problemText(code: ErrorCode, detail: string): string {
  return JSON.stringify(problemOf(code, detail, mintRequestId()));
}
