import {
  type Preset,
  type RunningServer,
  type ServeOptions,
  type ServiceLog,
  startServer,
} from "@groundrule/api";
import type { Pepper, Store } from "@groundrule/api/state";
import { type PublishedPreset, presetVersions } from "@groundrule/data/rulesets";
import { LiveSources, openData } from "@groundrule/node";
import { AnswerPool, hostInWorkers } from "@groundrule/service";
import type { Arguments } from "./arguments.ts";
import type { OptionSpec } from "./command-line.ts";
import { providerOf } from "./live-areas.ts";
import type { Terminal } from "./terminal.ts";
import { VERSION } from "./version.ts";

export const SERVE_OPTIONS: readonly OptionSpec[] = [
  { name: "host", value: "ADDRESS", help: "address to listen on (default 127.0.0.1)" },
  { name: "port", value: "N", help: "port to listen on; 0 picks any free port (default 8080)" },
  { name: "workers", value: "N", help: "worker threads that answer requests (default: one per core)" },
  { name: "rate-limit", value: "N", help: "requests per second that each key may make (default 50)" },
  { name: "burst", value: "N", help: "requests that each key may make in a burst (default 100)" },
  { name: "replay-ttl", value: "SECONDS", help: "how long a charged answer can be replayed (default 86400)" },
];

export interface ServedState {
  /** Closed when the server stops. */
  readonly store: Store;
  readonly pepper: Pepper;
  readonly log?: ServiceLog;
}

/**
 * Serves a data folder: questions are answered on a pool, and editions that become current are
 * switched to. Everything ends when the server stops, by `stop` or by a signal.
 *
 * Fails: as `openData` and `startServer` do.
 */
export async function serveData(
  dir: string,
  args: Arguments,
  terminal: Terminal,
  { store, pepper, log }: ServedState,
  defaults: Pick<ServeOptions, "port" | "print"> = {},
): Promise<RunningServer> {
  const host = args.find("host");
  const port = args.findInteger("port", 0, 65_535) ?? defaults.port;
  const workers = args.findInteger("workers", 1, 256);
  const perSecond = args.findNumber("rate-limit", 0.001, 1_000_000) ?? 50;
  const burst = args.findInteger("burst", 1, 1_000_000) ?? 100;
  const replaySeconds = args.findInteger("replay-ttl", 1, 366 * 86_400);
  const data = openData(dir);
  const live = new LiveSources(await providerOf(terminal));
  live.use(data.current.live);
  const pool = new AnswerPool(data.current, { ...(workers !== undefined && { size: workers }) });
  const tell = (line: string) => (log === undefined ? terminal.note(`groundrule ${line}`) : log.note(line));
  const stopWatching = data.watch({
    onSwitch: () => {
      pool.use(data.current);
      live.use(data.current.live);
      tell("now uses the new current editions");
    },
    onError: (error) => tell(`cannot use the new editions and keeps the ones it has: ${error.message}`),
  });
  const end = async () => {
    stopWatching();
    await pool.close();
    await live.close();
    await store.close();
  };
  try {
    const server = await startServer({
      engine: hostInWorkers(() => data.engine, pool, live),
      engineVersion: VERSION,
      store,
      peppers: [pepper],
      presets: presetVersions().map(presetOf),
      burst: { perSecond, burst },
      ...(replaySeconds !== undefined && { charging: { retentionMs: replaySeconds * 1_000 } }),
      ...(host !== undefined && { host }),
      ...(port !== undefined && { port }),
      ...(log !== undefined && { report: log.error, onRequest: log.request }),
      print: defaults.print ?? ((line) => void terminal.print(line)),
    });
    // A signal that came before the server listened was heard by nobody else.
    if (terminal.signal.aborted) void server.stop();
    return { ...server, stopped: server.stopped.then(end) };
  } catch (error) {
    await end();
    throw error;
  }
}

function presetOf({ name, version, publishedAt, ruleset }: PublishedPreset): Preset {
  const { name: _, ...body } = ruleset as Record<string, unknown>;
  return { name, version, body, createdAt: publishedAt };
}
