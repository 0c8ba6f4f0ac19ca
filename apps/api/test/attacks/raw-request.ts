import { connect } from "node:net";

export interface RawAnswer {
  readonly status: number;
  /** The code of a problem. */
  readonly code: string | undefined;
  readonly text: string;
  /** From the first byte sent to the first one received. */
  readonly milliseconds: number;
}

/** A request's head as it goes over the wire; a body, sent or not, is up to who asks. */
export function buildRequestHead(path: string, key: string, headers: readonly string[]): string {
  const lines = [`POST ${path} HTTP/1.1`, "Host: x", `Authorization: Bearer ${key}`];
  return `${[...lines, "Content-Type: application/json", ...headers].join("\r\n")}\r\n\r\n`;
}

/**
 * Sends bytes as they are, as fast as they are taken, and gives the first answer; undefined where the
 * peer hangs up, as a server does in the end to whoever sends it nothing more.
 */
export function sendRawRequest(
  port: number,
  parts: Iterable<string | Uint8Array>,
  { hangUp = false }: { readonly hangUp?: boolean } = {},
): Promise<RawAnswer | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.setNoDelay(true);
    let received = "";
    let startedMs = 0;
    let answeredMs = 0;
    let isOver = false;
    const end = (answer: RawAnswer | undefined): void => {
      if (isOver) return;
      isOver = true;
      socket.destroy();
      resolve(answer);
    };
    socket.on("data", (data) => {
      if (answeredMs === 0) answeredMs = performance.now();
      received += data.toString("latin1");
      const answer = parseRawAnswer(received, answeredMs - startedMs);
      if (answer !== undefined) end(answer);
    });
    // A server that answers and hangs up while we still send resets us; what it said has arrived.
    socket.on("error", () => {});
    socket.on("close", () => end(undefined));
    socket.on("connect", async () => {
      startedMs = performance.now();
      for (const part of parts) {
        if (isOver || socket.destroyed) return;
        if (!socket.write(typeof part === "string" ? Buffer.from(part, "latin1") : part)) {
          await new Promise<void>((drained) => {
            socket.once("drain", drained);
            socket.once("close", drained);
          });
        }
      }
      if (hangUp) socket.end();
    });
  });
}

function parseRawAnswer(received: string, milliseconds: number): RawAnswer | undefined {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const head = received.slice(0, headEnd);
  const body = received.slice(headEnd + 4);
  const [, length = ""] = /content-length: *(\d+)/i.exec(head) ?? [];
  if (length === "" ? !/\r\n0\r\n\r\n$/.test(body) : body.length < Number(length)) return undefined;
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  const [, code] = /"code":"([A-Z_]+)"/.exec(body) ?? [];
  return { status, code, text: received, milliseconds };
}
