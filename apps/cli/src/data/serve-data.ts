import { resolve } from "node:path";
import {
  type DataTrouble,
  type Preset,
  type RunningServer,
  type ServeOptions,
  type ServiceLog,
  startServer,
} from "@groundrule/api";
import type { Pepper, Store } from "@groundrule/api/state";
import { type PublishedPreset, presetVersions } from "@groundrule/data/rulesets";
import type { SourceFailure } from "@groundrule/engine";
import { DataError, LiveSources, openData } from "@groundrule/node";
import { AnswerPool, hostInWorkers, hostOverArchive } from "@groundrule/service";
import type { Arguments } from "../command-line/arguments.ts";
import { createSettingOption, type OptionSpec } from "../command-line/command-line.ts";
import { CONSOLE_FOLDER, GUIDES_FOLDER } from "../served-folders.ts";
import { readServeSettings } from "../settings/serve-settings.ts";
import { SERVE_SETTINGS } from "../settings/settings.ts";
import { formatSwitchLines } from "../terminal/switch-lines.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { VERSION } from "../version.ts";
import { formatFictionalNote } from "../words/fictional-note.ts";
import { isDataFolder } from "./data-folder.ts";
import { loadProviderOpener } from "./live-areas.ts";

export const SERVE_OPTIONS: readonly OptionSpec[] = SERVE_SETTINGS.map(createSettingOption);

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
 * A folder without sources is served too: its first edition is used as soon as it is there.
 *
 * Fails: as {@link isDataFolder}, `openData` and `startServer` do.
 */
export async function serveDataFolder(
  dir: string,
  args: Arguments,
  terminal: Terminal,
  { store, pepper, log }: ServedState,
  defaults: Pick<ServeOptions, "port" | "print"> = {},
): Promise<RunningServer> {
  const { workers, rasters, live: liveLimits, logsRequests, ...others } = readServeSettings(args);
  const { servesConsole, consoleTiles, consoleStyle, ...served } = others;
  const port = defaults.port !== undefined && !args.has("port") ? defaults.port : served.port;
  const tell = (line: string) => (log === undefined ? terminal.note(`groundrule ${line}`) : log.note(line));
  const warn = (line: string) => (log === undefined ? terminal.note(`groundrule ${line}`) : log.warn(line));
  const isThere = isDataFolder(dir);
  const data = openData(dir, { ...rasters, absent: "wait" });
  if (data.engine.sources().length === 0) {
    warn(
      `found no ${isThere ? "sources in" : "folder"} ${resolve(dir)}: questions are refused (DATA_UNAVAILABLE) until the first edition is there, which is then served without a restart; groundrule sources sync fetches it, groundrule snapshot build makes it from a file`,
    );
  }
  const note = formatFictionalNote(data.sources(), dir);
  if (note !== undefined) terminal.note(note);
  const pool = new AnswerPool(data.current, { size: workers });
  const reportFailure = ({ source_name, reason }: SourceFailure) =>
    tell(`cannot query ${source_name}: ${reason}`);
  const live = new LiveSources(await loadProviderOpener(terminal), {
    ...liveLimits,
    onTrouble: reportFailure,
  });
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
      for (const line of formatSwitchLines(before, used)) tell(line);
    },
    onError: (error) =>
      warn(
        data.trouble === undefined
          ? `cannot switch to the new editions: ${error.message}`
          : `cannot read the data folder and keeps the editions it has: ${error.message}`,
      ),
    onRecovery: () => tell(`reads the data folder ${resolve(dir)} from now on`),
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
      dataTrouble: () => getTroubleCode(data.trouble),
      store,
      peppers: [pepper],
      guides: GUIDES_FOLDER,
      presets: presetVersions().map(toPreset),
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
      ...(log !== undefined && {
        report: log.error,
        onJob: log.job,
        onStop: (signal) => log.note("stopping", { signal }),
      }),
      ...(log !== undefined && logsRequests && { onRequest: log.request }),
      print: defaults.print ?? ((line) => void terminal.print(line)),
    });
    log?.note("started", {
      version: VERSION,
      node: process.versions.node,
      pid: process.pid,
      url: server.url,
      store: store.kind,
      data: resolve(dir),
      sources: data.sources().length,
    });
    // A signal that came before the server listened has no other listener.
    if (terminal.signal.aborted) void server.stop();
    const stopped = server.stopped.then(end).then(() => log?.note("stopped"));
    return { ...server, stopped };
  } catch (error) {
    await end();
    throw error;
  }
}

function getTroubleCode(error: Error | undefined): DataTrouble | undefined {
  if (error === undefined) return undefined;
  const isMissing = error instanceof DataError && error.code === "DATA_FOLDER_MISSING";
  return isMissing ? "DATA_FOLDER_MISSING" : "DATA_FOLDER_UNREADABLE";
}

function toPreset({ name, version, publishedAt, ruleset }: PublishedPreset): Preset {
  const { name: _, ...body } = ruleset as Record<string, unknown>;
  return { name, version, body, createdAt: publishedAt };
}
