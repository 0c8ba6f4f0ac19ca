import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import cli from "../../apps/cli/package.json" with { type: "json" };
import { checkManifests } from "./check-manifests.ts";
import { listManifestFiles, parseManifests, REPOSITORY } from "./manifests.ts";

/** The repository's manifests, one text in them replaced. */
function readManifestsWith(file = "", text = "", instead = "") {
  return listManifestFiles().flatMap((path) => {
    const content = readFileSync(join(REPOSITORY, path), "utf8");
    if (!path.endsWith(file) || text === "") return parseManifests(path, content);
    const changed = content.replace(text, instead);
    expect(changed, `${path} has ${text}`).not.toBe(content);
    return parseManifests(path, changed);
  });
}
const faultsOf = (...change: Parameters<typeof readManifestsWith>) =>
  checkManifests(readManifestsWith(...change), { version: cli.version });

it("finds what the manifests name in this release", async () => {
  expect(await faultsOf()).toEqual([]);
});

/** Faults: the kind, the file, the text there, its replacement, and the message. `⏎` ends a line. */
const WRONG = `
an option | service.yaml | --config, | --konfig, | unknown option --konfig; did you mean --config?
a command | service.yaml | args: [serve | args: [server | there is no command "server --config"
a setting | settings.yaml | workers: 2 | worker: 2 | worker: unknown member "worker"; did you mean "workers"?
a value | settings.yaml | workers: 2 | workers: 0 | workers: found 0, expected at least 1
a port | settings.yaml | port: 8080 | port: 8081 | found the port 8080, expected 8081, at which it listens
an address that is only its own | settings.yaml | host: 0.0.0.0 | host: 127.0.0.1 | where nobody outside of the Pod asks
a probe's path | service.yaml | path: /readyz | path: /ready | readinessProbe asks /ready, which the service does not have
a probe's port | service.yaml | port: http } | port: web } | startupProbe asks the port web, which is none of the Pod's
a Service's port | service.yaml | targetPort: http | targetPort: web | its target web is no port of its Pods
a label | service.yaml | component: service⏎    spec: | component: server⏎    spec: | its selector selects no Pod
a volume | service.yaml | name: data⏎          persistent | name: date⏎          persistent | there is no volume data
a secret's place | settings.yaml | /run/secrets/groundrule/pepper | /run/pepper | nothing is mounted at /run/pepper, which is pepper_file
the file of settings | service.yaml | /etc/groundrule/groundrule.yaml | /etc/groundrule.yaml | nothing is mounted at /etc/groundrule.yaml
an image | service.yaml | groundrule:${cli.version} | groundrule:0.0.1 | expected one of ${cli.version}
the time to drain | settings.yaml | drain_timeout_seconds: 15 | drain_timeout_seconds: 20 | found 30 s until it is killed, expected at least 33
the time to be seen | settings.yaml | drain_delay_seconds: 10 | drain_delay_seconds: 3 | found a drain delay of 3 s, expected at least 6
a right | service.yaml | readOnlyRootFilesystem: true | readOnlyRootFilesystem: false | found false, expected true: groundrule.securityContext.readOnlyRootFilesystem
what Kubernetes adds | service.yaml | enableServiceLinks: false | enableServiceLinks: true | enableServiceLinks
what is scaled | service.yaml | kind: Deployment⏎    name: groundrule | kind: Deployment⏎    name: other | there is no Deployment other
replicas that are scaled | service.yaml | revisionHistoryLimit: 3 | replicas: 2 | sets replicas, which each apply would set back
a variable | service.yaml | ports:⏎ | env: [{ name: GROUNDRULE_PROT, value: '1' }]⏎          ports:⏎ | the variable GROUNDRULE_PROT is not a setting
a variable's value | service.yaml | ports:⏎ | env: [{ name: GROUNDRULE_BURST, value: many }]⏎          ports:⏎ | found GROUNDRULE_BURST "many", expected a number
`
  .trim()
  .split("\n")
  .map((row) => row.split(" | ").map((cell) => cell.replaceAll("⏎", "\n")) as Wrong);
type Wrong = [what: string, file: string, text: string, instead: string, fault: string];

it.each(WRONG)("reports a wrong name or time: %s", async (_what, file, text, instead, fault) => {
  expect((await faultsOf(file, text, instead)).join("\n")).toContain(fault);
});

/** Jobs that screen shards by bundles, as far as these checks look. */
const jobs = (shard: string, spec: string, images: readonly string[]) =>
  images.flatMap((image) =>
    parseManifests(
      "jobs.yaml",
      `kind: Job\nmetadata: { name: ${image} }\nspec: { ${spec}, template: { spec: { containers: [{ name: a, image: 'groundrule-bundle:${cli.version}-${image}', args: [screen, x.ndjson, '--shard=${shard}'] }] } } }`,
    ),
  );

const INDEXED = "completions: 4, completionMode: Indexed";
const INDEX = "$(JOB_COMPLETION_INDEX)";
it.each([
  ["fewer indexes than shards", `${INDEX}/64`, INDEXED, ["a"], "found 4 completions, expected 64"],
  ["one shard in all of them", "0/4", INDEXED, ["a"], `found the shard 0, expected ${INDEX}`],
  ["no indexes", `${INDEX}/4`, "completions: 4", ["a"], "expected the completion mode Indexed"],
  ["two bundles", `${INDEX}/4`, INDEXED, ["a", "b"], "expected one bundle"],
])("reports shards with %s", async (_what, shard, spec, images, fault) => {
  const faults = await checkManifests(jobs(shard, spec, images), { version: cli.version });
  expect(faults.join("\n")).toContain(fault);
});
