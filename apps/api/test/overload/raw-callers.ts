/**
 * Callers that ask one question over and over, or several in turn, in a process of their own: what they cost themselves is
 * not to be taken for what the service costs. They speak HTTP over bare sockets, since a client library
 * costs as much as the service does.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export interface CallersOptions {
  readonly port: number;
  readonly key: string;
  /** Several are asked in turn. */
  readonly path: string | readonly string[];
  /** Absent: it is a GET. */
  readonly body?: string;
  readonly connections: number;
  /** Behaviour of a refused caller: it repeats the request at once, or after the time in `Retry-After`. */
  readonly manner: "at once" | "as allowed";
  /** Between an answer and the next request of a connection. Default 0. */
  readonly pauseMs?: number;
}

/** Since this was last asked. */
export interface Called {
  readonly seconds: number;
  /** By status, and the code of a problem: `200`, `503 OVERLOADED`. */
  readonly answers: Readonly<Record<string, number>>;
  /** Connections that ended before their answer. */
  readonly broken: number;
  /** Milliseconds to each answer with status 200, from when it was first asked for. */
  readonly waits: readonly number[];
}

export interface Callers {
  called(): Promise<Called>;
  stop(): Promise<void>;
}

const SCRIPT = fileURLToPath(import.meta.url);
const BROKEN_PAUSE_MS = 50;
/** Between the questions of a single caller. */
const PAUSE_MS = 5;

export async function startCallers(options: CallersOptions): Promise<Callers> {
  const child = fork(SCRIPT, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const gone = once(child, "exit");
  child.send(options);
  return {
    called: async () => {
      const answer = once(child, "message");
      child.send("called");
      return (await answer)[0] as Called;
    },
    stop: async () => {
      child.kill("SIGKILL");
      await gone;
    },
  };
}

/** Starts a caller with a single connection, who sends a small question again and again. */
export function startSingleCaller(
  question: Pick<CallersOptions, "port" | "key" | "path" | "body">,
): Promise<Callers> {
  return startCallers({ ...question, connections: 1, manner: "as allowed", pauseMs: PAUSE_MS });
}

/** Waits for that many more answers, and adds up all since the last report. */
export async function collectAnswers(callers: Callers, count: number): Promise<Called> {
  const all = { seconds: 0, answers: {} as Record<string, number>, broken: 0, waits: [] as number[] };
  for (let left = count; ; await sleep(PAUSE_MS)) {
    const { seconds, answers, broken, waits } = await callers.called();
    all.seconds += seconds;
    all.broken += broken;
    all.waits.push(...waits);
    for (const [answer, times] of Object.entries(answers)) {
      all.answers[answer] = (all.answers[answer] ?? 0) + times;
      left -= times;
    }
    if (left <= 0) return all;
  }
}

/** Answers other than 200 and the one that a machine with other work may give to anybody. */
export function listAnswerFaults({ answers, broken }: Called): readonly string[] {
  const faults = Object.keys(answers).filter((answer) => answer !== "200" && answer !== "503 OVERLOADED");
  return broken === 0 ? faults : [...faults, "nothing"];
}

class Caller {
  readonly #options: CallersOptions;
  readonly #heard: (answer: string, milliseconds: number) => void;
  readonly #broke: () => void;
  readonly #newKey: () => string;
  #socket: Socket | undefined;
  #key = "";
  #path = "";
  #begun = 0;
  #firstSentMs = 0;
  /** Head of the answer under way. */
  #head = "";
  #status = 0;
  /** Body of a refusal. */
  #text = "";
  #retryAfterMs = 0;
  #closes: boolean = false;
  #left = -1;

  constructor(
    options: CallersOptions,
    newKey: () => string,
    heard: (answer: string, milliseconds: number) => void,
    broke: () => void,
  ) {
    this.#options = options;
    this.#newKey = newKey;
    this.#heard = heard;
    this.#broke = broke;
    this.#begin();
  }

  #begin(): void {
    this.#key = this.#newKey();
    const paths = [this.#options.path].flat();
    this.#path = paths[this.#begun++ % paths.length]!;
    this.#firstSentMs = performance.now();
    this.#ask();
  }

  #ask(): void {
    if (this.#socket === undefined) {
      const socket = connect(this.#options.port, "127.0.0.1");
      socket.setNoDelay(true);
      socket.on("data", (data: Buffer) => this.#read(data.toString("latin1")));
      socket.on("error", () => {});
      socket.on("close", () => {
        if (this.#socket !== socket) return;
        this.#socket = undefined;
        this.#broke();
        setTimeout(() => this.#ask(), BROKEN_PAUSE_MS);
      });
      this.#socket = socket;
    }
    this.#head = "";
    this.#text = "";
    this.#left = -1;
    const { key, body } = this.#options;
    const head = `${this.#path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`;
    this.#socket.write(
      body === undefined
        ? `GET ${head}\r\n`
        : `POST ${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
            `Idempotency-Key: ${this.#key}\r\n\r\n${body}`,
      "latin1",
    );
  }

  #read(text: string): void {
    let rest = text;
    if (this.#left < 0) {
      this.#head += rest;
      const end = this.#head.indexOf("\r\n\r\n");
      if (end < 0) return;
      const head = this.#head.slice(0, end);
      rest = this.#head.slice(end + 4);
      this.#status = Number(head.slice(9, 12));
      this.#retryAfterMs = 1_000 * Number(/retry-after: *(\d+)/i.exec(head)?.[1] ?? 0);
      this.#closes = /connection: *close/i.test(head);
      this.#left = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    }
    if (this.#status !== 200) this.#text += rest;
    this.#left -= rest.length;
    if (this.#left <= 0) this.#end();
  }

  #end(): void {
    const { manner, pauseMs = 0 } = this.#options;
    const [, code = ""] = /"code":"([A-Z_]+)"/.exec(this.#text) ?? [];
    this.#heard(`${this.#status} ${code}`.trim(), performance.now() - this.#firstSentMs);
    if (this.#closes) {
      this.#socket?.destroy();
      this.#socket = undefined;
    }
    const isRefused = this.#status === 503 || this.#status === 429;
    if (isRefused && manner === "as allowed") setTimeout(() => this.#ask(), this.#retryAfterMs);
    else if (isRefused) this.#ask();
    else if (pauseMs > 0) setTimeout(() => this.#begin(), pauseMs);
    else this.#begin();
  }
}

if (process.argv[1] === SCRIPT && process.send !== undefined) {
  const [options] = (await once(process, "message")) as [CallersOptions];
  let answers: Record<string, number> = {};
  let waits: number[] = [];
  let broken = 0;
  let sinceMs = performance.now();
  let keys = 0;
  const run = Math.random().toString(36).slice(2, 12);
  for (let i = 0; i < options.connections; i++) {
    new Caller(
      options,
      () => `called-${run}-${keys++}`,
      (answer, milliseconds) => {
        answers[answer] = (answers[answer] ?? 0) + 1;
        if (answer === "200") waits.push(milliseconds);
      },
      () => broken++,
    );
  }
  process.on("message", () => {
    const nowMs = performance.now();
    process.send?.({ seconds: (nowMs - sinceMs) / 1_000, answers, broken, waits } satisfies Called);
    answers = {};
    waits = [];
    broken = 0;
    sinceMs = nowMs;
  });
  process.on("disconnect", () => process.exit());
}
