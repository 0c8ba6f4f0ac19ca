import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** A page in a browser without a window. */
export interface Page {
  /**
   * The value of an expression in the page, awaited; JSON values only.
   *
   * Fails: an `Error` with what the page threw.
   */
  evaluate(expression: string): Promise<unknown>;
  /** The whole page as PNG. */
  screenshot(): Promise<Buffer>;
  /** What the page printed to its console, and what was thrown in it, so far. */
  readonly said: readonly string[];
}

/** Where Chromium lies, or undefined where it is not installed: named by `CHROMIUM`, else looked for on the path. */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM;
  if (named !== undefined) return named;
  const folders = (process.env.PATH ?? "").split(delimiter);
  return ["chromium", "chromium-browser", "google-chrome"]
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** A Chromium of its own folder, spoken to over its DevTools protocol. */
export class Chromium {
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, { resolve: (value: Result) => void; reject: (error: Error) => void }>();
  readonly #listeners = new Set<(message: Message) => void>();
  #sent = 0;

  private constructor(process: ChildProcess, folder: string, socket: WebSocket) {
    this.#process = process;
    this.#folder = folder;
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#take(JSON.parse(String(data))));
  }

  /** Fails: an `Error` where the program does not start. */
  static async start(program: string): Promise<Chromium> {
    const folder = mkdtempSync(join(tmpdir(), "groundrule-chromium-"));
    const child = spawn(
      program,
      [
        "--headless=new",
        "--no-sandbox", // pages of our own alone; its sandbox needs rights that CI does not have
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--remote-debugging-port=0",
        `--user-data-dir=${folder}`,
      ],
      { stdio: ["ignore", "ignore", "pipe"] },
    );
    const address = await new Promise<string>((resolve, reject) => {
      let said = "";
      child.stderr.on("data", (chunk) => {
        said += chunk;
        const found = /DevTools listening on (ws:\S+)/.exec(said);
        if (found !== null) resolve(found[1]!);
      });
      child.on("error", reject);
      child.on("exit", (code) => reject(new Error(`${program} ended with ${code}: ${said}`)));
    });
    const socket = new WebSocket(address);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve, { once: true });
      socket.addEventListener("error", reject, { once: true });
    });
    return new Chromium(child, folder, socket);
  }

  /** Opens a page and waits until it has loaded; sizes in CSS pixels. */
  async open(url: string, { width = 1280, height = 800 } = {}): Promise<Page> {
    const { targetId } = await this.#send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.#send("Target.attachToTarget", { targetId, flatten: true });
    const session = String(sessionId);
    const send = (method: string, params: object = {}) => this.#send(method, params, session);
    const said: string[] = [];
    const loaded = new Promise<void>((resolve) => {
      this.#listeners.add(({ method, params, sessionId: from }) => {
        if (from !== session) return;
        if (method === "Page.loadEventFired") resolve();
        if (method === "Runtime.consoleAPICalled" || method === "Runtime.exceptionThrown") {
          said.push(JSON.stringify(params));
        }
      });
    });
    await send("Page.enable");
    await send("Runtime.enable");
    const mobile = width < 600;
    await send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile });
    await send("Page.navigate", { url });
    await loaded;
    return {
      said,
      evaluate: async (expression) => {
        const params = { expression, awaitPromise: true, returnByValue: true };
        const { result, exceptionDetails } = (await send("Runtime.evaluate", params)) as Evaluated;
        if (exceptionDetails === undefined) return result.value;
        throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      },
      screenshot: async () => {
        const { data } = await send("Page.captureScreenshot", { captureBeyondViewport: true });
        return Buffer.from(String(data), "base64");
      },
    };
  }

  /** Ends the browser and removes what it wrote. */
  async close(): Promise<void> {
    const exit = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#socket.close();
    this.#process.kill();
    await exit;
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  #send(method: string, params: object, sessionId?: string): Promise<Result> {
    const id = ++this.#sent;
    this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }));
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #take(message: Message): void {
    for (const listen of this.#listeners) listen(message);
    if (message.id === undefined) return;
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error === undefined) waiting?.resolve(message.result ?? {});
    else waiting?.reject(new Error(message.error.message));
  }
}

type Result = Readonly<Record<string, unknown>>;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Result;
  readonly sessionId?: string;
  readonly result?: Result;
  readonly error?: { readonly message: string };
}

interface Evaluated extends Result {
  readonly result: { readonly value?: unknown };
  readonly exceptionDetails?: {
    readonly text: string;
    readonly exception?: { readonly description?: string };
  };
}
