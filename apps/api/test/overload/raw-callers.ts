/**
 * Callers that ask one question over and over, or several in turn, in a process of their own: what they cost themselves is
 * not to be taken for what the service costs. They speak HTTP over bare sockets, since a client library
 * costs as much as the service does.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
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
  /** By status. */
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

export async function startCallers(options: CallersOptions): Promise<Callers> {
  const child = fork(SCRIPT, [JSON.stringify(options)], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const gone = once(child, "exit");
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

class Caller {
  readonly #options: CallersOptions;
  readonly #heard: (status: number, milliseconds: number) => void;
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
  #retryAfterMs = 0;
  #closes: boolean = false;
  #left = -1;

  constructor(
    options: CallersOptions,
    newKey: () => string,
    heard: (status: number, milliseconds: number) => void,
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
    this.#left -= rest.length;
    if (this.#left <= 0) this.#end();
  }

  #end(): void {
    const { manner, pauseMs = 0 } = this.#options;
    this.#heard(this.#status, performance.now() - this.#firstSentMs);
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

const BROKEN_PAUSE_MS = 50;

if (process.argv[1] === SCRIPT && process.send !== undefined) {
  const options = JSON.parse(process.argv[2]!) as CallersOptions;
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
      (status, milliseconds) => {
        answers[status] = (answers[status] ?? 0) + 1;
        if (status === 200) waits.push(milliseconds);
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
