import { randomBytes } from "node:crypto";
import { Agent, type IncomingMessage, request } from "node:http";
import { askServer, type CpuByThread, type ForkedServer, NO_KEY } from "./servers.ts";

/** What a server did under load. */
export interface Measured {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly answered: number;
  /** A request, by what the threads do. */
  readonly cpuMicroseconds: CpuByThread;
}

/** Asks over kept-alive connections, each as soon as it was answered, for that long. */
export async function loadServer(
  { child, at: { url, key } }: ForkedServer,
  body: string,
  connections: number,
  seconds: number,
): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const run = randomBytes(6).toString("hex");
  const latencies: number[] = [];
  const cpuBefore = await askServer<CpuByThread>(child, "cpu");
  const started = performance.now();
  const end = started + seconds * 1_000;
  let asked = 0;
  const connection = async (): Promise<void> => {
    while (performance.now() < end) {
      const from = performance.now();
      const { statusCode, headers } = await post(url, agent, body, key, `bench-${run}-${asked++}`);
      if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`);
      // What is answered without a charge, as where a source failed, is no measure of a charge.
      if (key !== NO_KEY && headers["x-decision-id"] === undefined) throw new Error(`${url} charged nothing`);
      latencies.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  const elapsed = performance.now() - started;
  const cpuAfter = await askServer<CpuByThread>(child, "cpu");
  const cpu = Object.fromEntries(
    Object.entries(cpuAfter).map(([role, spent]) => [
      role,
      (spent - (cpuBefore[role] ?? 0)) / latencies.length,
    ]),
  );
  agent.destroy();
  latencies.sort((a, b) => a - b);
  return {
    perSecond: (latencies.length * 1_000) / elapsed,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    answered: latencies.length,
    cpuMicroseconds: cpu,
  };
}

function post(
  url: string,
  agent: Agent,
  body: string,
  key: string,
  idempotencyKey: string,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: "POST",
        agent,
        headers: {
          Authorization: `Bearer ${key}`,
          "Content-Type": "application/json",
          "Content-Length": body.length,
          "Idempotency-Key": idempotencyKey,
        },
      },
      (answer) => {
        answer.on("data", () => {});
        answer.on("end", () => resolve(answer));
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** The value below which that share of sorted values lies. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
