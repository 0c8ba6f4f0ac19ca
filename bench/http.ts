/**
 * Measures the cost of the service compared with bare HTTP.
 *
 *   node bench/http.ts [--seconds N] [--rounds N] [--connections N]
 *
 * Three servers, each in a process of its own, asked over loopback by this one: parse      Hono parses the body and
 * checks it with zod: a plot of 51 positions, a ruleset of 5 checks sqlite     the service evaluates the same body on
 * the demo data: authenticated, metered, each request under an idempotency key of its own, charged durably in SQLite
 * postgres   the same, charged in PostgreSQL (its own server, flushing to disk)
 *
 * Servers take turns in rounds; medians over rounds. CPU time is of the server's process, by thread where Linux tells
 * it; PostgreSQL's own is not in it. Latency and rate also hold the cost of asking: both share the machine's cores.
 * Where each thread has a core the busiest one sets the rate, so the last line says what each can do by its CPU time.
 * Before it stands what `sqlite` took of memory at most, and of disk for each charge.
 */
import { parseArgs } from "node:util";
import { compareServers, THREADS } from "./http/compare.ts";
import { describeMachine, formatMarkdownTable, formatMicros } from "./measure.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "4" },
    rounds: { type: "string", default: "3" },
    connections: { type: "string", default: "64" },
  },
});
const [seconds, rounds, connections] = [values.seconds, values.rounds, values.connections].map(Number) as [
  number,
  number,
  number,
];
console.log(`${describeMachine()}; ${connections} connections, ${rounds} rounds of ${seconds} s\n`);
const { servers, missing, peakBytes, diskBytesACharge } = await compareServers({
  seconds,
  rounds,
  connections,
});
const parse = servers.get("parse")!;
const rows = [...servers].map(([name, { perSecond, p50Ms, p99Ms, cpuMicros }]) => [
  name,
  `${perSecond.toFixed(0)}, ${((100 * perSecond) / parse.perSecond).toFixed(0)} %`,
  p50Ms.toFixed(2),
  p99Ms.toFixed(2),
  ...THREADS.map((thread) => formatMicros(cpuMicros[thread])),
  (cpuMicros.all / parse.cpuMicros.all).toFixed(2),
]);
const threads = THREADS.map((thread) => `CPU, ${thread}`);
console.log(formatMarkdownTable([["server", "req/s", "p50 ms", "p99 ms", ...threads, "× parse"], ...rows]));
if (missing !== undefined) console.log(`\nNot measured: ${missing}`);
const [peak, disk] = [(peakBytes / 1e6).toFixed(0), (diskBytesACharge / 1_000).toFixed(1)];
console.log(`\nsqlite: at most ${peak} MB of memory, ${disk} kB of disk a charge`);
const { http, answers, writer } = servers.get("sqlite")!.cpuMicros;
const alone = Object.entries({ http, "a worker": answers, "the writer": writer }).map(
  ([thread, micros]) => `${thread} ${(1e6 / micros).toFixed(0)}`,
);
console.log(`each thread by itself, requests a second: ${alone.join(", ")}`);
