import { hostInWorkers, type RunningServer, type ServeOptions, startServer } from "@groundrule/api";
import { EnginePool, openData } from "@groundrule/node";
import type { Arguments } from "./arguments.ts";
import type { OptionSpec } from "./command.ts";
import type { Terminal } from "./terminal.ts";
import { VERSION } from "./version.ts";

export const SERVE_OPTIONS: readonly OptionSpec[] = [
  { name: "host", value: "ADDRESS", help: "address to listen on (default 127.0.0.1)" },
  { name: "port", value: "N", help: "port to listen on; 0 takes any free one (default 8080)" },
  { name: "workers", value: "N", help: "worker threads that answer (default: one a core)" },
];

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
  defaults: Pick<ServeOptions, "port" | "print"> = {},
): Promise<RunningServer> {
  const host = args.find("host");
  const port = args.findInteger("port", 0, 65_535) ?? defaults.port;
  const workers = args.findInteger("workers", 1, 256);
  const data = openData(dir);
  const pool = new EnginePool(data.current, workers === undefined ? {} : { size: workers });
  const stopWatching = data.watch({
    onSwitch: () => {
      pool.use(data.current);
      terminal.note("groundrule switched to the editions that are now current");
    },
    onError: (error) => terminal.note(`groundrule keeps its editions: ${error.message}`),
  });
  const end = async () => {
    stopWatching();
    await pool.close();
  };
  try {
    const server = await startServer({
      engine: hostInWorkers(() => data.engine, pool),
      engineVersion: VERSION,
      ...(host !== undefined && { host }),
      ...(port !== undefined && { port }),
      print: defaults.print ?? ((line) => void terminal.print(line)),
    });
    return { ...server, stopped: server.stopped.then(end) };
  } catch (error) {
    await end();
    throw error;
  }
}
