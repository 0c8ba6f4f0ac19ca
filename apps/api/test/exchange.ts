import { Agent, type IncomingHttpHeaders, request } from "node:http";

export interface Exchanged {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** From the first byte sent to the last received. */
  readonly milliseconds: number;
}

const KEPT = new Agent({ keepAlive: true });

/**
 * One request over a kept connection, as plain as Node sends it: for many, or for timing them.
 *
 * @param options.agent has the connections; by default one for all, whose requests are sent again where the server had
 *   closed the connection before them
 * @param options.pauseMs is waited in the middle of the body
 */
export function exchangeRequest(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body?: string | Uint8Array,
  { agent = KEPT, pauseMs }: { readonly agent?: Agent; readonly pauseMs?: number } = {},
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
    const started = performance.now();
    const sent = request(url, { method, agent, headers: { ...headers, ...length } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const bytes = Buffer.concat(chunks);
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          bytes,
          text: bytes.toString(),
          milliseconds: performance.now() - started,
        });
      });
    });
    sent.on("error", (error: NodeJS.ErrnoException) => {
      // The server had closed the kept connection for its silence, and heard nothing of this.
      if (agent === KEPT && sent.reusedSocket && error.code === "ECONNRESET")
        resolve(exchangeRequest(url, method, headers, body));
      else reject(error);
    });
    if (body === undefined || pauseMs === undefined) return sent.end(body);
    sent.write(body.slice(0, 20));
    setTimeout(() => sent.end(body.slice(20)), pauseMs);
  });
}
