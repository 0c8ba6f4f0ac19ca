import { EngineError } from "@groundrule/engine";
import { version as engineVersion } from "../../package.json";
import { BordersHere } from "./borders-here.ts";
import { buildReportMaterial, listReportTiles } from "./drawn-material.ts";
import { openDataFolderFiles } from "./files/open-files.ts";
import { LocalAnswers, LocalProblem } from "./local-answers.ts";
import type { PublishedRuleset } from "./local-catalog.ts";
import { fetchPresetRulesets } from "./presets.ts";
import type { Ask, AskMessage, Progress, Replies, WorkerMessage } from "./protocol.ts";

// The worker: the engine over snapshot files. It answers one question at a time, in order.

const post = (message: WorkerMessage, transfer: Transferable[] = []): void =>
  self.postMessage(message, { transfer });

let borders: BordersHere | undefined;
let presets: readonly PublishedRuleset[] | undefined;
let answers: LocalAnswers | undefined;
let last: Promise<void> = Promise.resolve();

self.addEventListener("message", ({ data }: MessageEvent<AskMessage>) => {
  last = last.then(() => handleQuestionMessage(data));
});

async function handleQuestionMessage({ id, ask }: AskMessage): Promise<void> {
  try {
    const reply = await answerQuestion(ask, (progress) => post({ id, progress }));
    post({ id, reply }, reply instanceof Uint8Array ? [reply.buffer] : []);
  } catch (error) {
    if (error instanceof LocalProblem) post({ id, problem: error.problem });
    else post({ id, bug: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
  }
}

async function answerQuestion(ask: Ask, tell: (progress: Progress) => void): Promise<Replies[Ask["do"]]> {
  if (ask.do === "open") return openDataFolder(ask, tell);
  if (ask.do === "wanted") return listReportTiles(ask.record);
  if (ask.do === "gather") return buildReportMaterial(ask.record, ask.tiles);
  if (answers === undefined) throw new Error(`asked to ${ask.do} before any file was opened`);
  switch (ask.do) {
    case "evaluate":
      await loadNeededBorders(ask.question.input);
      return answers.evaluate(ask.question, ask.now, ask.requestId);
    case "explain":
      return answers.explain(ask.question, ask.now);
    case "material":
      return answers.material(ask.record);
    case "sources":
      return answers.sources(ask.now);
    case "rulesets":
      return answers.rulesets();
    case "ruleset":
      return answers.ruleset(ask.id);
    case "check":
      return answers.checkRuleset(ask.body, new Date().toISOString());
    case "save":
      return answers.saveRuleset(ask.name, ask.body, new Date().toISOString());
    case "tile":
      return answers.tile(ask, new Date().toISOString());
  }
}

async function openDataFolder(
  { files, settings }: Extract<Ask, { readonly do: "open" }>,
  tell: (progress: Progress) => void,
): Promise<Replies["open"]> {
  borders ??= new BordersHere(settings.bordersUrl);
  presets ??= await fetchPresetRulesets(settings.presetsUrl);
  answers = undefined; // so that two sets of files are never in memory at once
  const folder = await openDataFolderFiles(files, throttleProgress(tell));
  answers = createLocalAnswers(
    folder,
    { presets, saved: settings.saved },
    {
      engineVersion,
      borders: () => borders!.snapshot(),
      territoryOf: (iso3) => borders?.territoryOf(iso3),
      countriesAt: (longitude, latitude) => borders?.countriesAt(longitude, latitude),
    },
  );
  return { files: folder.files };
}

/** Fails: {@link LocalProblem} if the sources are inconsistent. */
function createLocalAnswers(...parameters: ConstructorParameters<typeof LocalAnswers>): LocalAnswers {
  try {
    return new LocalAnswers(...parameters);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new LocalProblem(error.code, error.message, { errors: error.details.faults ?? [] });
  }
}

/** Reports progress ten times a second instead of after every part of a file. */
function throttleProgress(tell: (progress: Progress) => void): (progress: Progress) => void {
  let reportedAtMs = 0;
  return (progress) => {
    const now = performance.now();
    if (now - reportedAtMs < 100 && progress.readBytes !== progress.bytes) return;
    reportedAtMs = now;
    tell(progress);
  };
}

/** A plot that names a country is compared with its borders. */
async function loadNeededBorders(input: object): Promise<void> {
  const { country_iso3 } = input as { readonly country_iso3?: unknown };
  if (typeof country_iso3 !== "string") return;
  try {
    await borders?.ready();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new LocalProblem(
      "NETWORK_FAILED",
      `The borders of countries, which the plot's country is compared with, could not be read: ${reason}`,
    );
  }
}
