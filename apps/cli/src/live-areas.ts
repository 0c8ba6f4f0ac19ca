import { EngineError, type LiveNeed, type Provided } from "@groundrule/engine";
import { type LiveEntry, LiveSources, type OpenProvider } from "@groundrule/node";
import type { Terminal } from "./terminal.ts";

/** What asks the live sources of a data folder; the code that reaches databases is loaded where there is any. */
export async function openLiveSources(
  entries: readonly LiveEntry[],
  terminal: Terminal,
): Promise<LiveSources> {
  if (entries.length === 0) return new LiveSources(undefined);
  const live = new LiveSources(await providerOf(terminal), {
    onTrouble: ({ source_name, reason }) =>
      terminal.note(`groundrule: ${source_name} cannot be queried: ${reason}`),
  });
  live.use(entries);
  return live;
}

/** What asks a live source. */
export async function providerOf({ openProvider }: Terminal): Promise<OpenProvider> {
  return openProvider ?? (await import("@groundrule/postgis")).openPostgis;
}

/**
 * What live sources answer to what a question needs. Where the question will be refused, nobody is asked.
 *
 * @param needs what it needs of them
 */
export async function provideAreas(
  live: LiveSources,
  needs: () => readonly LiveNeed[],
): Promise<{ readonly provided?: Provided }> {
  if (live.isEmpty) return {};
  const needed = neededOrNone(needs);
  return needed.length === 0 ? {} : { provided: await live.ask(needed) };
}

function neededOrNone(needs: () => readonly LiveNeed[]): readonly LiveNeed[] {
  try {
    return needs();
  } catch (error) {
    // The question itself says why.
    if (error instanceof EngineError) return [];
    throw error;
  }
}
