import {
  type Preset,
  type RunningServer,
  type ServeOptions,
  type ServiceLog,
  startServer,
} from "@groundrule/api";
import type { Pepper, Store } from "@groundrule/api/state";
import { type PublishedPreset, presetVersions } from "@groundrule/data/rulesets";
import type { SourceFailure } from "@groundrule/engine";
import { LiveSources, openData } from "@groundrule/node";
import { AnswerPool, hostInWorkers, hostOverArchive } from "@groundrule/service";
import type { Arguments } from "../command-line/arguments.ts";
import { type OptionSpec, settingOption } from "../command-line/command-line.ts";
import { CONSOLE_FOLDER, GUIDES_FOLDER } from "../served-folders.ts";
import { serveSettings } from "../settings/serve-settings.ts";
import { SERVE_SETTINGS } from "../settings/settings.ts";
import { switchLines } from "../terminal/switch-lines.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { VERSION } from "../version.ts";
import { fictionalNote } from "../words/fictional-note.ts";
import { loadProvider } from "./live-areas.ts";

export const SERVE_OPTIONS: readonly OptionSpec[] = SERVE_SETTINGS.map(settingOption);

export interface ServedState {
  /** Closed when the server stops. */
  readonly store: Store;
  readonly pepper: Pepper;
  readonly log?: ServiceLog;
}

/**
 * Serves a data folder: questions are answered on a pool, which switches to editions as they become current. Everything
 * ends when the server stops, by `stop` or by a signal.
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
  const { workers, rasters, live: liveLimits, logsRequests, ...others } = serveSettings(args);
  const { servesConsole, consoleTiles, consoleStyle, ...served } = others;
  const port = defaults.port !== undefined && !args.has("port") ? defaults.port : served.port;
  const data = openData(dir, rasters);
  const note = fictionalNote(data.sources(), dir);
  if (note !== undefined) terminal.note(note);
  const pool = new AnswerPool(data.current, { size: workers });
  const tell = (line: string) => (log === undefined ? terminal.note(`groundrule ${line}`) : log.note(line));
  const reportFailure = ({ source_name, reason }: SourceFailure) =>
    tell(`cannot query ${source_name}: ${reason}`);
  const live = new LiveSources(await loadProvider(terminal), { ...liveLimits, onTrouble: reportFailure });
  live.use(data.current.live);
  const isLive = new Set(data.current.live.map(({ manifest }) => manifest.source_name));
  for (const failure of data.engine.failures()) if (!isLive.has(failure.source_name)) reportFailure(failure);
  let used = data.current;
  const stopWatching = data.watch({
    onSwitch: () => {
      const before = used;
      used = data.current;
      pool.use(data.current);
      live.use(data.current.live);
      for (const line of switchLines(before, used)) tell(line);
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
      editions: () => data.editions,
      store,
      peppers: [pepper],
      guides: GUIDES_FOLDER,
      presets: presetVersions().map(presetOf),
      ...served,
      port,
      ...(servesConsole && {
        console: {
          folder: CONSOLE_FOLDER,
          ...(consoleTiles !== undefined && { tiles: consoleTiles }),
          ...(consoleStyle !== undefined && { style: consoleStyle }),
        },
      }),
      openArchive: (question) => hostOverArchive(dir, question, live),
      ...(log !== undefined && { report: log.error, onJob: log.job }),
      ...(log !== undefined && logsRequests && { onRequest: log.request }),
      print: defaults.print ?? ((line) => void terminal.print(line)),
    });
    // A signal that came before the server listened has no other listener.
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
