import { DEFAULT_LIMITS, type Limits } from "@groundrule/contract";
import type { Engine, SourceEntry } from "@groundrule/engine";
import type { AnswererHost, BodyReading } from "./body/answerer-host.ts";
import { identifyBody } from "./body/recognise.ts";
import { ScopedEngines } from "./engines/scoped-engines.ts";
import { identifyJob, JOBS_PATH, readJobUpload } from "./jobs/read-job.ts";
import { answerQuestion, PinnedRulesets } from "./questions/answer-question.ts";
import { CHECK_RULESET_PATH, checkRuleset } from "./questions/check-ruleset.ts";
import type { AnyQuestion } from "./questions/question.ts";
import { listQuestions } from "./questions/questions.ts";
import { VALIDATE_PATH, validate } from "./questions/validate.ts";
import type { BodyResult, BodyTask } from "./task/body-task.ts";
import { Refusal } from "./task/refusal.ts";
import { cutSourceTile, TILES_PATH, type TileQuery } from "./tiles/cut-source-tile.ts";

/** The refusal of a service without any source, with what mends it. */
export const NO_SOURCES =
  "The data folder has no sources yet, so no question is answered, and nothing is charged. Its operator brings the first with groundrule sources sync or groundrule snapshot build; no restart is needed.";

/**
 * Handles the bodies of requests on one engine: parses and checks them, identifies them, answers them and
 * writes the answers as JSON. Synchronous, and the same in any thread.
 */
export class Answerer {
  readonly #engines: ScopedEngines;
  readonly #isEmpty: boolean;
  readonly #host: AnswererHost;
  readonly #bodies: BodyReading;
  readonly #pinned = new PinnedRulesets();
  #questions = new Map<string, AnyQuestion>();
  #distanceMeters: number | undefined;

  /** @param host the environment: Node, or a browser */
  constructor(engine: Engine, host: AnswererHost) {
    this.#host = host;
    this.#bodies = host.bodies();
    this.#engines = new ScopedEngines(engine);
    this.#isEmpty = engine.sources().length === 0;
  }

  /**
   * The catalog of the sources that are available to a caller; see {@link BodyTask.within}.
   *
   * Fails: `VALIDATION_FAILED` if the patterns are not an array of texts.
   */
  sources(within?: readonly string[]): readonly SourceEntry[] {
    return this.#engines.get(within).engine.sources();
  }

  /**
   * Executes a task. A refusal by the engine or by a check is a result.
   *
   * Fails: never, except for a bug.
   */
  answer(task: BodyTask): BodyResult {
    try {
      return this.#answer(task);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, message, errors, details } = error;
      return { kind: "refused", refusal: { code, message, errors, details } };
    }
  }

  #answer(task: BodyTask): BodyResult {
    const { limits = DEFAULT_LIMITS } = task;
    if (task.route === JOBS_PATH) {
      if (task.step === "identify") return identifyJob(task, this.#host);
      this.#refuseWithoutSources();
      return readJobUpload(task, this.#engines.get(task.within), this.#host);
    }
    if (task.route === TILES_PATH) {
      return cutSourceTile(task.query as TileQuery, this.#engines.get(task.within));
    }
    const body = this.#bodies.read(task.body, limits);
    if (task.step === "identify") return identifyBody(body, task, this.#host);
    const call = { ...task, ...this.#engines.get(task.within), limits, host: this.#host };
    if (task.route === VALIDATE_PATH) return validate(body.value, call);
    this.#refuseWithoutSources();
    switch (task.route) {
      case CHECK_RULESET_PATH:
        return checkRuleset(body.value, call);
      default:
        return answerQuestion(this.#question(task.route, limits), body, task, {
          call,
          pinned: this.#pinned,
        });
    }
  }

  /** Without any source, no area is found near any plot, and a list of none would look like an answer. */
  #refuseWithoutSources(): void {
    if (this.#isEmpty) throw new Refusal("DATA_UNAVAILABLE", NO_SOURCES);
  }

  #question(route: string, limits: Limits): AnyQuestion {
    // Schemas are built once for each limit.
    if (limits.distanceMeters !== this.#distanceMeters) {
      this.#distanceMeters = limits.distanceMeters;
      this.#questions = new Map(listQuestions(limits).map((question) => [question.path, question]));
    }
    const question = this.#questions.get(route);
    if (question === undefined) throw new Error(`no question has the route ${route}`);
    return question;
  }
}
