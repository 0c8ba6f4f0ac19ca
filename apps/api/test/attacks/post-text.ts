import { Agent, request } from "node:http";

export interface Posted {
  readonly status: number;
  /** Of a problem, else empty. */
  readonly code: string;
  /** From the first byte sent to the last received. */
  readonly milliseconds: number;
}

const KEPT = new Agent({ keepAlive: true });

/** Posts a text that is said to be JSON over a connection that is kept. */
export function postText(url: string, key: string, body: string): Promise<Posted> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const headers = {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
    };
    const sent = request(url, { method: "POST", agent: KEPT, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => {
        const status = answer.statusCode ?? 0;
        const [, code = ""] =
          status === 200 ? [] : (/"code":"([A-Z_]+)"/.exec(Buffer.concat(chunks).toString()) ?? []);
        resolve({ status, code, milliseconds: performance.now() - started });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
