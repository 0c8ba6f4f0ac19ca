/**
 * Makes clients of the description that a service serves, in TypeScript, Python and Java, compiles a program against
 * each, and compares what it reads of a verdict, of the digests of a decision and of a refusal with the answers
 * themselves. Each language needs its tools and its registry, and is NOT RUN where they are missing. The commands are
 * those of docs/guides/call-the-service.md.
 */
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { BOW_TIE } from "@groundrule/testing/shapes";
import { OWNER, PLOT } from "../apps/api/src/http/operations/record/demo-input.ts";
import { type DemoService, withDemoService } from "../apps/api/test/demo-service.ts";
import { describeFailure } from "./machine/promises.ts";
import { installPython, PythonMissing } from "./machine/python.ts";

const OPENAPI_TYPESCRIPT = "openapi-typescript@7.13.0";
const OPENAPI_FETCH = "openapi-fetch@0.17.0";
const OPENAPI_PYTHON_CLIENT = "openapi-python-client==0.29.1";
const MYPY = "mypy==2.4.1";
const OPENAPI_GENERATOR = "7.23.0";
const CALLERS = join(import.meta.dirname, "clients");
const TSC = join(import.meta.dirname, "../node_modules/.bin/tsc");
const call = promisify(execFile);

/** Thrown if a program that a language needs is not on this machine, or not within reach of it. */
class Missing extends Error {}

// Input of each program, built from the types that its generator made.
const INPUT = { geometry: PLOT, scheme: OWNER };
const RULESET = {
  sets: { protected: { sources: ["demo:protected"] }, listed: { registers: ["demo:sanctions"] } },
  checks: [
    {
      id: "share",
      set: "protected",
      measure: "overlap_ratio",
      op: ">",
      value: 0.001,
      outcome: "NON_COMPLIANT",
    },
    { id: "listed", set: "listed", outcome: "NON_COMPLIANT" },
  ],
};

type Client = (service: DemoService, folder: string) => Promise<string>;

/** Each makes a client in a folder of its own and gives what the program printed. */
const CLIENTS: Readonly<Record<string, Client>> = {
  TypeScript: runTypescriptClient,
  Python: runPythonClient,
  Java: runJavaClient,
};

/** Bodies that are no JSON, which the generator leaves out and says so. Nothing else may be. */
const LEFT_OUT_IN_PYTHON = [
  "POST /v1/jobs",
  "GET /v1/jobs/{id}/results",
  "GET /v1/sources/{name}/tiles/{z}/{x}/{y}",
];

let failures = 0;
await withDemoService(async (service) => {
  const expected = await fetchPlainAnswers(service);
  for (const [language, client] of Object.entries(CLIENTS)) {
    const folder = join(service.dir, language);
    mkdirSync(folder);
    try {
      const printed = (await client(service, folder)).trim().split(/\r?\n/);
      if (printed.join("\n") !== expected.join("\n")) {
        throw new Error(
          `its program printed\n${printed.join("\n")}\nand the service says\n${expected.join("\n")}`,
        );
      }
      console.log(`ok       ${language}: a generated client reads a verdict, its digests and a refusal`);
    } catch (error) {
      if (error instanceof PythonMissing || error instanceof Missing)
        console.log(`NOT RUN  ${language}: this machine lacks ${error.message}`);
      else {
        failures++;
        console.log(`FAILED   ${language}: ${describeFailure(error).slice(0, 6000)}`);
      }
    }
  }
});
process.exitCode = failures === 0 ? 0 : 1;

async function runTypescriptClient({ url, key }: DemoService, folder: string): Promise<string> {
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  const cwd = { cwd: folder };
  const install = ["install", "--no-audit", "--no-fund", "--silent", OPENAPI_TYPESCRIPT, OPENAPI_FETCH];
  await awaitRequiredStep("npm's registry", call("npm", install, cwd));
  const generator = join(folder, "node_modules/.bin/openapi-typescript");
  await call(generator, [`${url}/openapi.json`, "-o", "groundrule.d.ts"], cwd);
  copyFileSync(join(CALLERS, "caller.mts"), join(folder, "caller.mts"));
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--allowImportingTsExtensions"];
  const types = join(import.meta.dirname, "../node_modules/@types");
  await call(TSC, [...options, "--typeRoots", types, "--types", "node", "caller.mts"], cwd);
  return (await call(process.execPath, ["caller.mts", url, key], cwd)).stdout;
}

async function runPythonClient({ url, key }: DemoService, folder: string): Promise<string> {
  const bin = installPython([OPENAPI_PYTHON_CLIENT, MYPY], 11, join(folder, "venv"));
  const generate = ["generate", "--url", `${url}/openapi.json`];
  const { stdout, stderr } = await call(bin("openapi-python-client"), generate, { cwd: folder });
  const leftOut = [...`${stdout}${stderr}`.matchAll(/^WARNING parsing (\S+ \S+)/gm)].map(([, of]) => of);
  if (leftOut.join() !== LEFT_OUT_IN_PYTHON.join()) throw new Error(`the generator said\n${stdout}${stderr}`);
  await awaitRequiredStep(
    "PyPI",
    call(bin("pip"), ["install", "--quiet", join(folder, "groundrule-client")]),
  );
  const caller = join(CALLERS, "caller.py");
  await call(bin("python"), ["-m", "mypy", "--strict", "--cache-dir", join(folder, "mypy"), caller]);
  return (await call(bin("python"), [caller, url, key])).stdout;
}

async function runJavaClient({ url, key }: DemoService, folder: string): Promise<string> {
  const released = await awaitRequiredStep("Java 17", call("javac", ["-version"]));
  if (Number(/\d+/.exec(`${released.stdout}${released.stderr}`)) < 17) throw new Missing("Java 17");
  await awaitRequiredStep("Maven", call("mvn", ["--version"]));
  const maven = (...args: string[]) => call("mvn", ["--batch-mode", "--quiet", ...args], { cwd: folder });
  const artifact = `org.openapitools:openapi-generator-cli:${OPENAPI_GENERATOR}`;
  await awaitRequiredStep(
    "Maven Central",
    maven("dependency:copy", `-Dartifact=${artifact}`, "-DoutputDirectory=."),
  );
  const generator = ["-jar", `openapi-generator-cli-${OPENAPI_GENERATOR}.jar`, "generate", "-g", "java"];
  const client = ["--library", "okhttp-gson", "-i", `${url}/openapi.json`, "-o", "groundrule-java"];
  await call("java", [...generator, ...client], { cwd: folder, maxBuffer: 2 ** 26 });
  const project = ["--file", "groundrule-java/pom.xml"];
  await awaitRequiredStep("Maven Central", maven(...project, "dependency:copy-dependencies"));
  await maven(...project, "compile");
  const classes = ["classes", "dependency/*"].map((place) => join(folder, "groundrule-java/target", place));
  const program = ["-cp", classes.join(delimiter), join(CALLERS, "Caller.java"), url, key];
  return (await call("java", program)).stdout;
}

interface Answers {
  readonly data: {
    readonly verdict: string;
    readonly digest: string;
    readonly ruleset: { readonly digest: string };
    readonly checks: readonly {
      readonly id: string;
      readonly outcome: string;
      readonly comparisons: readonly { readonly measure: string }[];
    }[];
    readonly sources: readonly { readonly source_name: string; readonly edition: string }[];
  };
  readonly code: string;
  readonly errors: readonly { readonly code: string; readonly ring: number }[];
}

/** Output that the programs must print for the current answers. */
async function fetchPlainAnswers({ ask }: DemoService): Promise<string[]> {
  const evaluate = async (input: object): Promise<Answers> =>
    (await (await ask("/v1/evaluate", { input, ruleset: RULESET })).json()) as Answers;
  const { data } = await evaluate(INPUT);
  const { code, errors } = await evaluate({ geometry: BOW_TIE });
  const outcomes = data.checks.map(
    ({ id, outcome, comparisons: [first] }) => `${id} ${outcome} ${first!.measure}`,
  );
  const parks = data.sources.find(({ source_name }) => source_name === "demo:parks")!;
  return [
    `${data.verdict} ${outcomes.join(", ")} ${data.digest} ${data.ruleset.digest}`,
    parks.edition,
    `${code} ${errors[0]!.code} ${errors[0]!.ring}`,
  ];
}

async function awaitRequiredStep<Result>(what: string, step: Promise<Result>): Promise<Result> {
  try {
    return await step;
  } catch (error) {
    throw new Missing(`${what} (${describeFailure(error).split("\n").at(-1)})`);
  }
}
