import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FollowedService, followService } from "../../apps/api/test/followed-service.ts";
import { runInProcess } from "../../apps/cli/test/in-process.ts";
import { REPOSITORY } from "../machine/repository.ts";
import { splitShellWords, type Word } from "./words.ts";

const MAIN = join(REPOSITORY, "apps/cli/src/main.ts");

/** Result of a page's shell commands. */
export interface ShellRun {
  /** Commands of the product that ran. */
  readonly ran: number;
  /** Commands that are only checked to exist: npm scripts, and packages to install. */
  readonly named: number;
}

/**
 * Runs the commands of shell fences in a folder: `groundrule`, `npm run groundrule`, `sed`, `curl` to the service
 * that `groundrule serve` started, with pipes, `<`, `>` and quotes. `cd` enters the data folder, whichever it
 * names. Ids and keys that earlier commands
 * printed stand in for `ID`, `KEY` and those that end in `…`.
 *
 * Fails: an `Error` that names the command, for one that does not end as it should, and for one that this
 * shell does not know.
 */
export class PageShell {
  readonly #folder: string;
  readonly #printed = new Map<string, string>();
  #cwd: string;
  #served: FollowedService | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    this.#cwd = folder;
  }

  async run(script: string, exit = 0): Promise<ShellRun> {
    let [ran, named] = [0, 0];
    const lines = script.replaceAll(/\\\n\s*/g, " ").split("\n");
    const commands = lines.map(splitShellWords).filter((words) => words.length > 0);
    for (const [i, words] of commands.entries()) {
      if (words[0]!.value === "cd") this.#cwd = join(this.#folder, ".groundrule");
      else if (this.#isNamed(words)) named++;
      else {
        await this.#pipe(words, i === commands.length - 1 ? exit : 0);
        ran++;
      }
    }
    return { ran, named };
  }

  /** Stops the service, where one was started. */
  async close(): Promise<void> {
    await this.#served?.stop("SIGTERM");
  }

  /** A command that is not run here: it exists, and tests of its own run it. */
  #isNamed(words: readonly Word[]): boolean {
    const [program, verb, ...rest] = words.map(({ value }) => value);
    if (program === ".ci/run") return existsSync(join(REPOSITORY, program));
    if (program !== "npm") return false;
    if (verb === "test" || verb === "run") return !rest.includes("groundrule");
    return verb === "install" || verb === "i";
  }

  async #pipe(words: readonly Word[], exit: number): Promise<void> {
    let input = "";
    const stages = splitWordsAt(words, "|");
    for (const [i, stage] of stages.entries()) {
      const { argv, from, to } = parseRedirections(stage);
      const file = (name: string) => join(this.#cwd, name);
      if (from !== undefined) input = readFileSync(file(from), "utf8");
      const { code, out, err } = await this.#command(
        argv.map((word) => this.#filledIn(word)),
        input,
      );
      const wanted = i === stages.length - 1 ? exit : 0;
      if (code !== wanted) {
        throw new Error(`${argv.join(" ")}\nended with ${code}, expected ${wanted}\n${err}${out}`);
      }
      for (const [, key, value] of out.matchAll(/"(org_id|key|key_id|name)":\s*"([^"]+)"/g)) {
        this.#printed.set(key!, value!);
      }
      if (to !== undefined) writeFileSync(file(to), out);
      input = out;
    }
  }

  #command(argv: readonly string[], input: string): Promise<Finished> {
    const [program = ""] = argv;
    if (program === "npm") return this.#groundrule(argv.slice(argv.indexOf("--") + 1), input);
    if (program === "groundrule") return this.#groundrule(argv.slice(1), input);
    if (program === "curl") return this.#curl(argv.slice(1), input);
    if (program === "sed") return this.#sed(argv.slice(1), input);
    throw new Error(
      `no way to run "${argv.join(" ")}" here; teach tools/snippets/shell.ts, or mark the fence <!-- not run: … -->`,
    );
  }

  /** The machine's own. */
  async #sed(args: readonly string[], input: string): Promise<Finished> {
    const { status, stdout, stderr } = spawnSync("sed", args, { cwd: this.#cwd, input, encoding: "utf8" });
    return { code: status ?? 1, out: stdout, err: stderr };
  }

  async #groundrule(args: readonly string[], input: string): Promise<Finished> {
    if (args[0] === "serve") return this.#serve(args);
    process.chdir(this.#cwd);
    return runInProcess(args, { input });
  }

  /** Serves in a process of its own, on any port: the one that a page names may be taken. */
  async #serve(args: readonly string[]): Promise<Finished> {
    const port = args.indexOf("--port");
    const elsewhere = port < 0 ? args : args.toSpliced(port, 2);
    const child = spawn(process.execPath, [MAIN, ...elsewhere, "--port", "0"], { cwd: this.#cwd });
    this.#served = await followService(child);
    return { code: 0, out: "", err: "" };
  }

  async #curl(args: readonly string[], input: string): Promise<Finished> {
    if (this.#served === undefined) throw new Error("curl: no service was started before it on the page");
    const request: { method?: string; headers: Record<string, string>; body?: string } = { headers: {} };
    let url = "";
    for (let i = 0; i < args.length; i++) {
      const arg = args[i]!;
      if (arg === "-X") request.method = args[++i]!;
      else if (arg === "-H") {
        const [, name, value] = /^([^:]+):\s*(.*)$/.exec(args[++i]!) ?? [];
        request.headers[name!.toLowerCase()] = value!;
      } else if (arg === "-d" || arg === "--data" || arg === "--data-binary") {
        const data = args[++i]!;
        if (data === "@-") request.body = input;
        else if (data.startsWith("@")) request.body = readFileSync(join(this.#cwd, data.slice(1)), "utf8");
        else request.body = data;
        request.headers["content-type"] ??= "application/x-www-form-urlencoded"; // as curl has it
      } else if (!arg.startsWith("-")) url = arg;
    }
    const path = url.replace(/^(?:https?:\/\/)?[^/]+/, "");
    const answer = await fetch(this.#served.url + path, {
      method: request.body === undefined ? "GET" : "POST",
      ...request,
    });
    const out = await answer.text();
    return { code: answer.ok ? 0 : 22, out, err: answer.ok ? "" : `${answer.status} ` };
  }

  #filledIn(word: string): string {
    return word
      .replace(/^\$?\{?(?:ID|ORG_ID)\}?$|\borg_…/, () => this.#printed.get("org_id") ?? word)
      .replace(/\$\{?(?:KEY|GROUNDRULE_KEY)\}?|\bKEY\b|\bgr_live_…/, () => this.#printed.get("key") ?? "KEY")
      .replace(/\bkey_…/, () => this.#printed.get("key_id") ?? word);
  }
}

interface Finished {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function splitWordsAt(words: readonly Word[], sign: string): Word[][] {
  const parts: Word[][] = [[]];
  for (const word of words) {
    if (word.plain && word.value === sign) parts.push([]);
    else parts.at(-1)!.push(word);
  }
  return parts;
}

function parseRedirections(words: readonly Word[]): { argv: string[]; from?: string; to?: string } {
  const found: { argv: string[]; from?: string; to?: string } = { argv: [] };
  for (let i = 0; i < words.length; i++) {
    const { value, plain } = words[i]!;
    if (plain && value === "<") found.from = words[++i]!.value;
    else if (plain && value === ">") found.to = words[++i]!.value;
    else found.argv.push(value);
  }
  return found;
}
