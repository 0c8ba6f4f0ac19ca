import { type Answer, type Answerer, AnswerProblem } from "../answering/answerer.ts";
import { toProblemFault } from "../answering/fault-of.ts";
import type { PublishedRuleset } from "./local-catalog.ts";
import type { Ask, HereFile, OpenedFile, PlainProblem, Progress, Replies } from "./protocol.ts";
import { WorkerRoom } from "./worker-room.ts";

export type { HereFile, OpenedFile, Progress } from "./protocol.ts";

/** An {@link Answerer} whose engine runs in this page. */
export interface HereAnswerer extends Answerer {
  readonly place: "here";
  /** The state of each file; rejects if no engine could be opened over them. */
  readonly opened: Promise<readonly OpenedFile[]>;
}

/**
 * Answers in this page: an engine in a worker reads snapshot files, and no plot leaves the machine. Methods wait until
 * the files are read.
 *
 * @param files snapshots, optionally with a data folder's catalog and notes, and rulesets
 * @param onProgress called with the progress of reading
 */
export function createPageAnswerer(
  files: readonly HereFile[],
  onProgress: (progress: Progress) => void = () => {},
): HereAnswerer {
  const saved: PublishedRuleset[] = [];
  const [bordersUrl, presetsUrl] = ["borders.gz", "presets.gz"].map(
    (name) => new URL(name, document.baseURI).href,
  ) as [string, string];
  const settings = { saved, bordersUrl, presetsUrl };
  const room = new WorkerRoom(() => ({ do: "open", files, settings }), onProgress);
  const ask = async <Name extends Ask["do"]>(
    request: Extract<Ask, { readonly do: Name }>,
    signal?: AbortSignal,
  ): Promise<Replies[Name]> => {
    const outcome = await room.ask(request, signal);
    if ("problem" in outcome) throw convertPlainProblem(outcome.problem);
    return outcome.reply as Replies[Name];
  };
  const now = (): string => new Date().toISOString();
  let evaluations = 0;
  const answerer: HereAnswerer = {
    place: "here",
    opened: room.opened.then((outcome) => {
      if ("problem" in outcome) throw convertPlainProblem(outcome.problem);
      return (outcome.reply as Replies["open"]).files;
    }),
    async evaluate(question, { signal } = {}): Promise<Answer> {
      const requestId = `here_${++evaluations}`;
      const answer = await ask({ do: "evaluate", question, now: now(), requestId }, signal);
      return { ...answer, charged: false, requestId: undefined, by: answerer };
    },
    material: (record) => ask({ do: "material", record }),
    explain: (question) => ask({ do: "explain", question, now: now() }),
    sources: () => ask({ do: "sources", now: now() }),
    rulesets: () => ask({ do: "rulesets" }),
    ruleset: (id) => ask({ do: "ruleset", id }),
    checkRuleset: (body) => ask({ do: "check", body }),
    async saveRuleset(name, body) {
      const published = await ask({ do: "save", name, body });
      saved.push(published);
      return { name: published.name, version: published.version };
    },
    tile: (source, z, x, y, signal) => ask({ do: "tile", source, z, x, y }, signal),
    usage: async () => undefined,
    close: () => room.close(),
  };
  return answerer;
}

function convertPlainProblem({ code, detail, status, errors, details }: PlainProblem): AnswerProblem {
  const { repaired } = details as { readonly repaired?: object };
  return new AnswerProblem(code, detail, { faults: errors.map(toProblemFault), status, repaired });
}
