/**
 * What the service costs over bare HTTP.
 *
 *   node bench/http.ts [--seconds N] [--rounds N] [--connections N] [--workers N] [--no-postgres]
 *                      [--profile DIR]
 *
 * Five servers, each in a process of its own, asked over loopback by this one:
 *   constant   Hono answers a constant
 *   parse      Hono parses the body and checks it with zod: a plot of 51 positions, a ruleset of 5 checks
 *   gates      the service as it is, but that its threads answer and commit at once: what the thread that
 *              speaks HTTP can do
 *   sqlite     the service evaluates the same body on the demo data: authenticated, metered, each request
 *              under an idempotency key of its own, charged durably in SQLite
 *   postgres   the same, charged in PostgreSQL (its own server, flushing to disk)
 *
 * Servers take turns in rounds; medians over rounds. CPU time is of the server's process, by thread where
 * Linux tells it; PostgreSQL's own is not in it. Latency and rate also hold the cost of asking: both share
 * the machine's cores. Where each thread has a core the busiest one sets the rate, so the last line says
 * what each can do by itself: `gates`; a worker that answers, and the writer that charges, without pause.
 * Before it stands what `sqlite` took of memory at most, and of disk for each charge. With --profile each
 * server writes the CPU profiles of its threads to a folder of its own as it exits.
 */
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { compareServers, type HttpComparison, THREADS } from "./http/compare.ts";
import type { ServerName } from "./http/servers.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "4" },
    rounds: { type: "string", default: "3" },
    connections: { type: "string", default: "64" },
    workers: { type: "string", default: "" },
    "no-postgres": { type: "boolean", default: false },
    profile: { type: "string" },
  },
});
const [seconds, rounds, connections] = [values.seconds, values.rounds, values.connections].map(Number) as [
  number,
  number,
  number,
];
const names: ServerName[] = ["constant", "parse", "gates", "sqlite"];
if (!values["no-postgres"]) names.push("postgres");
const { workers, profile } = values;
const settings = { seconds, rounds, connections, workers, servers: names };
console.log(
  `node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}), load ${loadavg()[0]!.toFixed(1)}`,
);
print(
  await compareServers(
    { ...settings, ...(profile !== undefined && { profile }) },
    ({ bodyBytes, fsyncMs }) => {
      console.log(`body ${bodyBytes} bytes, ${connections} connections, ${rounds} rounds of ${seconds} s`);
      const { median, p99 } = fsyncMs;
      console.log(`fsync of 4 KiB: median ${median.toFixed(2)} ms, 99th percentile ${p99.toFixed(2)} ms`);
    },
  ),
);

function print({ servers, alone, peakBytes, diskBytesACharge }: HttpComparison): void {
  console.log(
    "\n                                        CPU µs a request, by thread\n" +
      "server      req/s    p50 ms    p99 ms      all    http  answers  writer    rest",
  );
  for (const [name, { perSecond, p50Ms, p99Ms, cpuMicroseconds }] of servers) {
    const threads = THREADS.map((thread) => {
      const spent = cpuMicroseconds[thread]!;
      return (Number.isNaN(spent) ? "–" : spent.toFixed(0)).padStart(thread === "answers" ? 8 : 7);
    });
    const rates = [
      perSecond.toFixed(0).padStart(7),
      ...[p50Ms, p99Ms].map((ms) => ms.toFixed(2).padStart(9)),
    ];
    console.log([name.padEnd(10), ...rates, ...threads].join(" "));
  }
  const parse = servers.get("parse")!;
  const share = (perSecond: number) => `${((100 * perSecond) / parse.perSecond).toFixed(0)} %`;
  for (const name of names.slice(3)) {
    const { perSecond, cpuMicroseconds } = servers.get(name)!;
    const times = cpuMicroseconds.all! / parse.cpuMicroseconds.all!;
    console.log(
      `${name} reaches ${share(perSecond)} of parse's rate at ${times.toFixed(2)} times its CPU time`,
    );
  }
  console.log(
    `\nsqlite: at most ${(peakBytes! / 1e6).toFixed(0)} MB of memory, ` +
      `${(diskBytesACharge! / 1_000).toFixed(1)} kB of disk a charge`,
  );
  const { http = Number.NaN, answers, writer } = alone;
  console.log(
    `\neach thread by itself, of parse's rate: http ${share(1e6 / http)} (${http.toFixed(0)} µs a request), ` +
      `a worker ${share(1e6 / answers)} (${answers.toFixed(0)} µs), ` +
      `the writer ${share(1e6 / writer)} (${writer.toFixed(0)} µs, in flushed groups of 64)`,
  );
}
