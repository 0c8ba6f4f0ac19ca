import { Agent, type IncomingHttpHeaders, request } from "node:http";

export interface Exchanged {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** From the first byte sent to the last received. */
  readonly milliseconds: number;
}

const KEPT = new Agent({ keepAlive: true });

/** One request over a kept connection, as plain as Node sends it: for many, or for timing them. */
export function exchange(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
    const started = performance.now();
    const sent = request(url, { method, agent: KEPT, headers: { ...headers, ...length } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: Buffer.concat(chunks).toString(),
          milliseconds: performance.now() - started,
        }),
      );
    });
    sent.on("error", (error: NodeJS.ErrnoException) => {
      // The server had closed the kept connection for its silence, and heard nothing of this.
      if (sent.reusedSocket && error.code === "ECONNRESET") resolve(exchange(url, method, headers, body));
      else reject(error);
    });
    sent.end(body);
  });
}
