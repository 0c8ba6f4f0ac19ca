import { AnswerProblem } from "../answering/answerer.ts";
import type { Ask, AskMessage, PlainProblem, Progress, WorkerMessage } from "./protocol.ts";

export type Outcome = { readonly reply: unknown } | { readonly problem: PlainProblem };

interface Waiting {
  readonly ask: Ask;
  readonly settle: (outcome: Outcome) => void;
  readonly fail: (error: Error) => void;
}

/** Maximum time for one question; after that the worker is restarted. */
const DEADLINE_MS = 30_000;
/** Maximum time between progress reports while opening: files may be large. */
const OPENING_DEADLINE_MS = 120_000;

function answererClosedError(): Error {
  return new DOMException("The answerer is closed.", "AbortError");
}

function createEngineWorker(): Worker {
  return new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "groundrule" });
}

/**
 * One worker and its questions. It handles one at a time, verdicts before tiles; one that exceeds the deadline ends the
 * worker, and a new one opens the files again for the questions that wait.
 */
export class WorkerRoom {
  readonly #open: () => Ask;
  readonly #onProgress: (progress: Progress) => void;
  /** Two queues: verdicts and everything else that a user waits for, and the tiles of the map. */
  readonly #lanes: readonly [Waiting[], Waiting[]] = [[], []];
  #turn: 0 | 1 = 0;
  #worker: Worker | undefined;
  #current:
    | { readonly id: number; readonly waiting: Waiting; timer: ReturnType<typeof setTimeout> }
    | undefined;
  #lastId = 0;
  readonly #closing = new AbortController();
  /** The result of opening the files for the first time. */
  readonly opened: Promise<Outcome>;
  /** The reason why no question can be answered: the files could not be opened. */
  #broken: Error | PlainProblem | undefined;

  constructor(open: () => Ask, onProgress: (progress: Progress) => void) {
    this.#open = open;
    this.#onProgress = onProgress;
    this.opened = this.#start();
    this.opened.catch(() => {}); // callers receive the rejection
  }

  /** Fails: with an {@link AnswerProblem}; with the reason of the signal. */
  ask(ask: Ask, signal?: AbortSignal): Promise<Outcome> {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    if (this.#closing.signal.aborted) return Promise.reject(this.#closing.signal.reason as Error);
    const lane = this.#lanes[ask.do === "tile" ? 1 : 0];
    const waiting: Waiting = { ask, settle: resolve, fail: reject };
    const onAbort = (): void => {
      const place = lane.indexOf(waiting);
      if (place >= 0) lane.splice(place, 1);
      reject(signal!.reason as Error);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    lane.push(waiting);
    this.#next();
    return promise.finally(() => signal?.removeEventListener("abort", onAbort));
  }

  close(): void {
    this.#closing.abort(answererClosedError());
    this.#end(answererClosedError());
    for (const lane of this.#lanes) {
      for (const { fail } of lane.splice(0)) fail(answererClosedError());
    }
  }

  /** Starts a worker with the files. */
  #start(): Promise<Outcome> {
    const worker = createEngineWorker();
    this.#worker = worker;
    worker.addEventListener("message", ({ data }: MessageEvent<WorkerMessage>) => this.#hear(worker, data));
    worker.addEventListener("error", (event) => {
      if (worker !== this.#worker) return;
      event.preventDefault();
      this.#restart(new AnswerProblem("EVALUATION_ABORTED", `The worker ended: ${event.message}`));
    });
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    this.#send({
      ask: this.#open(),
      settle: (outcome) => {
        this.#broken = "problem" in outcome ? outcome.problem : undefined;
        resolve(outcome);
      },
      fail: (error) => {
        this.#broken = error;
        reject(error);
      },
    });
    return promise;
  }

  #next(): void {
    if (this.#current !== undefined || this.#closing.signal.aborted) return;
    // The queues take turns, so that a long list of plots leaves time for the map.
    const lane = this.#lanes[this.#turn].length > 0 ? this.#turn : this.#turn === 0 ? 1 : 0;
    const waiting = this.#lanes[lane].shift();
    if (waiting === undefined) return;
    this.#turn = lane === 0 ? 1 : 0;
    if (this.#broken === undefined) this.#send(waiting);
    else {
      if (this.#broken instanceof Error) waiting.fail(this.#broken);
      else waiting.settle({ problem: this.#broken });
      this.#next();
    }
  }

  #send(waiting: Waiting): void {
    const id = ++this.#lastId;
    this.#current = { id, waiting, timer: this.#deadline(waiting.ask) };
    this.#worker!.postMessage({ id, ask: waiting.ask } satisfies AskMessage);
  }

  #deadline({ do: what }: Ask): ReturnType<typeof setTimeout> {
    const ms = what === "open" ? OPENING_DEADLINE_MS : DEADLINE_MS;
    return setTimeout(() => {
      const message = `The question needed more than ${ms / 1000} s of this machine and was stopped; the files are opened again.`;
      this.#restart(new AnswerProblem("EVALUATION_ABORTED", message, { status: 503 }));
    }, ms);
  }

  #hear(worker: Worker, message: WorkerMessage): void {
    const current = this.#current;
    if (worker !== this.#worker || current === undefined || current.id !== message.id) return;
    if ("progress" in message) {
      clearTimeout(current.timer);
      current.timer = this.#deadline(current.waiting.ask);
      this.#onProgress(message.progress);
      return;
    }
    clearTimeout(current.timer);
    this.#current = undefined;
    if ("bug" in message) current.waiting.fail(new AnswerProblem("INTERNAL_ERROR", message.bug));
    else current.waiting.settle(message);
    this.#next();
  }

  /**
   * Ends a worker that hangs, and starts a new one for the questions that wait. Files that could not be opened are not
   * tried again.
   */
  #restart(reason: AnswerProblem): void {
    const wasOpening = this.#current?.waiting.ask.do === "open";
    this.#end(reason);
    if (wasOpening) this.#next();
    else this.#start().catch(() => {});
  }

  #end(reason: Error): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    const current = this.#current;
    this.#current = undefined;
    if (current === undefined) return;
    clearTimeout(current.timer);
    current.waiting.fail(reason);
  }
}
