import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunningServer } from "@groundrule/api";
import { createKey, createOrganization, openStore } from "@groundrule/api/state";
import { buildDemo, type DemoFolder } from "@groundrule/data/demo";
import type { Verdict } from "@groundrule/engine";
import { readCatalogOrEmpty } from "@groundrule/node/internal";
import { type Arguments, UsageError } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { defineOption } from "../../command-line/command-line.ts";
import { EXIT, type ExitCode } from "../../command-line/exit-code.ts";
import { findFreePort } from "../../data/free-port.ts";
import { SERVE_OPTIONS, type ServedState, serveDataFolder } from "../../data/serve-data.ts";
import { getTextSetting } from "../../settings/read-setting.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { figures } from "../../words/figures.ts";
import { formatVerdictText } from "../../words/verdict-text.ts";

export const demoCommand: Command = {
  summary: "Build fictional demo data, serve it, open the console, and print requests to try",
  examples: ["--port 9000"],
  options: [
    ...SERVE_OPTIONS,
    defineOption("build-only", "build the data and stop"),
    defineOption("no-open", "print the address of the console, and do not open a browser"),
    defineOption("once", "send one evaluation request, print the response, and stop"),
  ],
  details: [
    "Without --port, it listens on the first free port from 8080 on.",
    "The data is generated from a seed and handled like real data: source files are checked and built into snapshots. It is written to ./.groundrule-demo, or to the folder that --data names, which must have no real sources. The plots, the ruleset and the request bodies are written to the folder demo in the data folder.",
  ],
  async run(args, terminal) {
    const dir = chooseDemoFolder(args);
    const isServed = !args.flag("build-only") && !args.flag("once");
    // Building takes a minute; a port that is taken is found before.
    const port = isServed ? await findFreePort(args) : 0;
    const demo = await buildDemo(dir, ({ source_name, kind, stored, repaired, cells }) => {
      const things = `${figures.decimal(stored, 0)} ${kind === "leaf" ? (stored === 1 ? "area" : "areas") : "records"}`;
      const mended = repaired.length === 0 ? "" : `, ${figures.decimal(repaired.length, 0)} of them repaired`;
      const ofCells = cells === undefined ? "" : ` in ${figures.decimal(cells, 0)} cells`;
      terminal.note(`built ${source_name}: ${things}${mended}${ofCells}`);
    });
    const questions = writeDemoQuestions(join(dir, "demo"), demo);
    if (args.flag("build-only")) return EXIT.done;

    if (args.flag("once")) return runFirstQuestion(dir, args, terminal, questions[0]);
    const { key, state } = await throwAwayState();
    const server = { ...(await serveDataFolder(dir, args, terminal, state, { port, print: () => {} })), key };
    await terminal.print(`API key, valid while this process runs: ${key}`);
    await terminal.print("");
    await terminal.print("Requests to try:");
    for (const { path, file } of questions) {
      await terminal.print(
        `curl -s ${server.url}${path} -H 'authorization: Bearer ${server.key}' \\\n  -H 'content-type: application/json' -d @${file}`,
      );
    }
    await terminal.print("");
    await terminal.print("The verdict that the first of them returns:");
    const { data } = JSON.parse(await postDemoQuestion(server, questions[0])) as { data: Verdict };
    for (const line of formatVerdictText(demo.plots[0]?.properties?.name, data, terminal)) {
      await terminal.print(line);
    }
    await terminal.print("");
    if (getTextSetting(args, "console") === "on") {
      await storeRulesets(server, [demo.ruleset, demo.landRuleset]);
      // The part after # is neither sent nor logged; the page removes it from the address.
      const page = `${server.url}/console/#key=${key}&ruleset=${FIRST_RULESET}&bbox=${formatBoxAround(demo.plots[0])}`;
      await terminal.print("Draw a plot and see its verdict (Ctrl-C ends the demo):");
      await terminal.print(page);
      if (terminal.human && !args.flag("no-open")) openBrowser(page);
    } else await terminal.print(`groundrule listens on ${server.url}`);
    await server.stopped;
    return EXIT.done;
  },
};

/**
 * A new folder, unless one is named: made-up sources must not answer real questions.
 *
 * Fails: {@link UsageError} for a folder that has real sources.
 */
function chooseDemoFolder(args: Arguments): string {
  const dir = args.find("data") ?? DEMO_FOLDER;
  const { sources, live } = readCatalogOrEmpty(dir);
  const isReal = [...sources, ...live].some(
    ({ manifest: { source_name, fictional } }) => fictional !== true && source_name !== "demo:countries",
  );
  if (!isReal) return dir;
  throw new UsageError(
    `${dir} contains real sources, expected a folder that only the demo uses, such as ${DEMO_FOLDER}`,
  );
}

const DEMO_FOLDER = "./.groundrule-demo";
/** The page's first ruleset, also used by one of the requests: it checks for loss of the forest of 2020. */
const FIRST_RULESET = "preset.eudr";

/** West, south, east and north of a box of some 40 km in which the demo has areas of many sources. */
function formatBoxAround(plot: DemoFolder["plots"][number] | undefined): string {
  const [longitude, latitude] =
    plot?.geometry.type === "Polygon" ? plot.geometry.coordinates[0]![0]! : [0, 0];
  const reach = 0.2;
  const box = [longitude! - reach, latitude! - reach, longitude! + reach, latitude! + reach];
  return box.map((degrees) => degrees.toFixed(3)).join();
}

/** Serves on a free port, posts the first question, prints the answer and stops. */
async function runFirstQuestion(
  dir: string,
  args: Arguments,
  terminal: Terminal,
  question: Question,
): Promise<ExitCode> {
  const { key, state } = await throwAwayState();
  const print = (line: string) => terminal.note(line);
  const server = { ...(await serveDataFolder(dir, args, terminal, state, { port: 0, print })), key };
  try {
    await terminal.print(await postDemoQuestion(server, question));
    return EXIT.done;
  } finally {
    await server.stop();
    await server.stopped;
  }
}

/** State in memory, with an organization and a key: created as usual, gone with the process. */
async function throwAwayState(): Promise<{ readonly key: string; readonly state: ServedState }> {
  const store = await openStore("sqlite::memory:");
  const pepper = { version: 1, secret: randomBytes(32) };
  await createOrganization({ store, pepper }, { name: "demo", liveQuota: 0 });
  const { key } = await createKey({ store, pepper }, { organization: "demo", mode: "test", name: "demo" });
  return { key, state: { store, pepper } };
}

/** Stores rulesets in the catalog, from which the page offers them. */
async function storeRulesets(server: DemoServer, rulesets: readonly unknown[]): Promise<void> {
  for (const ruleset of rulesets) {
    await postDemoQuestion(server, { path: "/v1/rulesets", body: JSON.stringify(ruleset) }, 201);
  }
}

type DemoServer = Pick<RunningServer, "url"> & { readonly key: string };

/** Resolves to the body of the server's answer. Fails: if the status differs. */
async function postDemoQuestion(
  server: DemoServer,
  { path, body }: Pick<Question, "path" | "body">,
  status = 200,
): Promise<string> {
  const response = await fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
    body,
  });
  const text = await response.text();
  if (response.status !== status) throw new Error(`POST ${path} returned ${response.status}: ${text}`);
  return text;
}

interface Question {
  readonly path: string;
  readonly body: string;
  readonly file: string;
}

/** Questions about the first plot, whose owner is listed, and files with further requests. */
function writeDemoQuestions(folder: string, { plots, ruleset }: DemoFolder): [Question, ...Question[]] {
  const plot = plots[0];
  if (plot === undefined) throw new Error("the demo has no plots");
  const { geometry } = plot;
  const scheme: unknown = plot.properties?.scheme;
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "plots.geojson"),
    JSON.stringify({ type: "FeatureCollection", features: plots }),
  );
  writeFileSync(join(folder, "ruleset.json"), JSON.stringify(ruleset, undefined, 2));
  const question = (name: string, value: unknown, saved = name): Question => {
    const body = JSON.stringify(value);
    const file = join(folder, `${saved}.json`);
    writeFileSync(file, body);
    return { path: `/v1/${name}`, body, file };
  };
  return [
    question("evaluate", { input: { geometry, scheme }, ruleset }),
    question("evaluate", { input: { geometry }, ruleset_id: FIRST_RULESET }, "evaluate-eudr"),
    question("intersections", { input: { geometry } }),
    question("subjects", { input: { scheme: withoutRole(scheme) } }),
  ];
}

/** A look-up has an identifier only, without a role. */
function withoutRole(scheme: unknown): unknown {
  const { type, value } = scheme as { readonly type: string; readonly value: string };
  return { type, value };
}

/**
 * Shows a page in the person's browser, where there is a desktop to show it on. Nobody waits for it, and where it
 * does not come, the address that was printed is still there.
 */
function openBrowser(url: string): void {
  const program = findOpenCommand(process.platform, process.env);
  if (program === undefined) return;
  const [command, ...args] = program;
  const child = spawn(command, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}

function findOpenCommand(platform: string, env: NodeJS.ProcessEnv): [string, ...string[]] | undefined {
  if (env.CI !== undefined || env.SSH_CONNECTION !== undefined) return undefined;
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return env.DISPLAY === undefined && env.WAYLAND_DISPLAY === undefined ? undefined : ["xdg-open"];
}
