import { posix } from "node:path";
import { openApiDocument } from "../../apps/api/src/http/openapi/document.ts";
import type { SettingName } from "../../apps/cli/src/settings/settings.ts";
import { DEFAULT_LIMITS } from "../../packages/contract/src/index.ts";
import { checkCommandLine } from "./check-command-line.ts";
import { findAtPath, listAtPath, type Manifest, type Members } from "./manifests.ts";

/** Facts that the checks compare with. */
export interface Expected {
  /** Images of ours must be of this release. */
  readonly version: string;
}

/** A Pod as a manifest describes it. */
export interface Pod {
  readonly manifest: Manifest;
  readonly spec: Members;
  readonly labels: Members;
}

/** Operator's paths beside those that the service describes. */
const PATHS = new Set([...Object.keys(openApiDocument(DEFAULT_LIMITS).paths ?? {}), "/metrics"]);
/** Longer than closing the store takes once all requests have ended. */
export const CLOSING_SECONDS = 3;

/**
 * Faults of manifests beyond their schema: names that lead nowhere, unknown options and settings, times that do not
 * fit, rights that nobody needs.
 *
 * @returns a line for each fault; none where all is well
 */
export async function checkManifests(manifests: readonly Manifest[], expected: Expected): Promise<string[]> {
  const pods = manifests.flatMap(listPods);
  const faults = [
    ...checkBundleImages(pods),
    ...manifests.flatMap((manifest) => checkReferences(manifest, manifests, pods)),
  ];
  for (const pod of pods) {
    const where = `${pod.manifest.file}: ${pod.manifest.kind} ${pod.manifest.name}`;
    const found = [...checkPodRights(pod), ...(await checkContainers(pod, manifests, expected))];
    faults.push(...found.map((fault) => `${where}: ${fault}`));
  }
  return faults;
}

/** Shards and their merge are of one bundle: verdicts of two would not be put together. */
function checkBundleImages(pods: readonly Pod[]): string[] {
  const images = pods.flatMap(({ spec }) => listContainers(spec).map(({ image }) => String(image)));
  const bundles = new Set(images.filter((image) => image.includes("groundrule-bundle")));
  return bundles.size > 1 ? [`found ${[...bundles].join(" and ")}, expected one bundle`] : [];
}

export function listPods(manifest: Manifest): Pod[] {
  const path =
    manifest.kind === "CronJob" ? ["spec", "jobTemplate", "spec", "template"] : ["spec", "template"];
  const template = manifest.kind === "Pod" ? manifest.body : findAtPath(manifest.body, ...path);
  const spec = findAtPath(template, "spec") as Members | undefined;
  if (spec === undefined || !("containers" in spec)) return [];
  return [{ manifest, spec, labels: (findAtPath(template, "metadata", "labels") ?? {}) as Members }];
}

/** Selectors that select no Pod, and targets that are not there. */
function checkReferences(manifest: Manifest, all: readonly Manifest[], pods: readonly Pod[]): string[] {
  const { body, kind, name, file, namespace } = manifest;
  const say = (fault: string) => `${file}: ${kind} ${name}: ${fault}`;
  const selectors: Readonly<Record<string, unknown>> = {
    Service: findAtPath(body, "spec", "selector"),
    PodDisruptionBudget: findAtPath(body, "spec", "selector", "matchLabels"),
    NetworkPolicy: findAtPath(body, "spec", "podSelector", "matchLabels"),
    Deployment: findAtPath(body, "spec", "selector", "matchLabels"),
  };
  const selector = selectors[kind] as Members | undefined;
  const selected = selector === undefined ? [] : pods.filter((pod) => matches(pod, selector, namespace));
  const faults: string[] = [];
  if (selector !== undefined && selected.length === 0) faults.push(say("its selector selects no Pod"));
  if (kind === "Service") {
    for (const { targetPort } of listAtPath(body, "spec", "ports")) {
      if (!selected.every((pod) => listPortNames(pod).has(String(targetPort))))
        faults.push(say(`its target ${targetPort} is no port of its Pods`));
    }
  }
  if (kind === "HorizontalPodAutoscaler") {
    const target = findAtPath(body, "spec", "scaleTargetRef") as { kind: string; name: string };
    const scaled = all.find((each) => each.kind === target.kind && each.name === target.name);
    if (scaled === undefined) faults.push(say(`there is no ${target.kind} ${target.name}`));
    else if (findAtPath(scaled.body, "spec", "replicas") !== undefined)
      faults.push(say(`${target.kind} ${target.name} sets replicas, which each apply would set back`));
  }
  return faults;
}

function matches({ labels, manifest }: Pod, selector: Members, namespace: string | undefined): boolean {
  return (
    manifest.namespace === namespace &&
    Object.entries(selector).every(([name, value]) => labels[name] === value)
  );
}

function listPortNames({ spec }: Pod): Set<string> {
  const ports = listAtPath(spec, "containers").flatMap((container) => listAtPath(container, "ports"));
  return new Set(ports.flatMap(({ name, containerPort }) => [String(name), String(containerPort)]));
}

/** Rights that no process of ours needs. */
function checkPodRights({ spec }: Pod): string[] {
  const expected: [unknown, unknown, string][] = [
    [findAtPath(spec, "securityContext", "runAsNonRoot"), true, "securityContext.runAsNonRoot"],
    [
      findAtPath(spec, "securityContext", "seccompProfile", "type"),
      "RuntimeDefault",
      "securityContext.seccompProfile.type",
    ],
    [spec.automountServiceAccountToken, false, "automountServiceAccountToken"],
    [spec.enableServiceLinks, false, "enableServiceLinks"],
  ];
  for (const container of listContainers(spec)) {
    const of = (...path: string[]) => findAtPath(container, ...path);
    const name = `${container.name}.securityContext`;
    expected.push(
      [of("securityContext", "allowPrivilegeEscalation"), false, `${name}.allowPrivilegeEscalation`],
      [of("securityContext", "readOnlyRootFilesystem"), true, `${name}.readOnlyRootFilesystem`],
      [JSON.stringify(of("securityContext", "capabilities", "drop")), '["ALL"]', `${name}.capabilities.drop`],
      [of("resources", "requests", "cpu") !== undefined, true, `whether ${container.name} requests cpu`],
      [of("resources", "limits", "memory") !== undefined, true, `whether ${container.name} limits memory`],
    );
  }
  return expected
    .filter(([found, wanted]) => found !== wanted)
    .map(([found, wanted, what]) => `found ${String(found)}, expected ${String(wanted)}: ${what}`);
}

export function listContainers(spec: Members): Members[] {
  return [...listAtPath(spec, "initContainers"), ...listAtPath(spec, "containers")];
}

async function checkContainers(pod: Pod, all: readonly Manifest[], expected: Expected): Promise<string[]> {
  const faults: string[] = [];
  for (const container of listContainers(pod.spec)) {
    faults.push(...checkImageTag(container, expected), ...checkVolumeMounts(container, pod.spec));
    const words = findCommandWords(container);
    const mounted = listMountedTexts(container, pod, all);
    const { faults: misused, settings } =
      words === undefined
        ? { faults: [], settings: new Map<SettingName, string>() }
        : await checkCommandLine(words, buildContainerEnvironment(container), mounted);
    faults.push(...misused, ...checkShardCount(words ?? [], pod.manifest));
    faults.push(...checkProbes(container, pod));
    if (misused.length === 0 && words?.[0] === "serve")
      faults.push(...checkServiceSettings(container, pod, settings));
  }
  return faults;
}

function checkImageTag({ image }: Members, { version }: Expected): string[] {
  const [, name, tag] = /([^/:]+)(?::([^/:]+))?$/.exec(String(image)) ?? [];
  if (!name?.startsWith("groundrule")) return tag === undefined ? [`the image ${image} has no version`] : [];
  return tag === version || tag?.startsWith(`${version}-`)
    ? []
    : [`found the image ${image}, expected one of ${version}`];
}

function checkVolumeMounts(container: Members, spec: Members): string[] {
  const volumes = new Set(listAtPath(spec, "volumes").map(({ name }) => name));
  return listAtPath(container, "volumeMounts")
    .filter(({ name }) => !volumes.has(name))
    .map(({ name, mountPath }) => `there is no volume ${name}, which is mounted at ${mountPath}`);
}

/** The words of a command line of ours; undefined where another program runs, such as a shell. */
export function findCommandWords({ command, args, image }: Members): string[] | undefined {
  const words = [command, args].flatMap((part) => (Array.isArray(part) ? part.map(String) : []));
  if (command !== undefined)
    return posix.basename(words[0] ?? "") === "groundrule" ? words.slice(1) : undefined;
  return String(image).includes("groundrule") ? words : undefined;
}

/** Variables that the launcher of a bundle sets: its own data and ruleset (docs/guides/batch-and-cluster.md). */
const OF_BUNDLE = { GROUNDRULE_DATA: "/bundle/data", GROUNDRULE_RULESET: "/bundle/ruleset.json" };

/** The variables of a container; those that Kubernetes takes from elsewhere have a value that any text setting takes. */
export function buildContainerEnvironment(container: Members): Record<string, string> {
  const own = Object.fromEntries(
    listAtPath(container, "env").map(({ name, value }) => [
      String(name),
      value === undefined ? "from-elsewhere" : String(value),
    ]),
  );
  return { ...(String(container.image).includes("groundrule-bundle") && OF_BUNDLE), ...own };
}

/** A Job of shards has as many indexes as there are shards: fewer would leave plots out. */
function checkShardCount(words: readonly string[], { body }: Manifest): string[] {
  const shard = words.find((word, i) => word.startsWith("--shard=") || words[i - 1] === "--shard");
  if (shard === undefined) return [];
  const [, index, count] = /^(?:--shard=)?(.*)\/(\d+)$/.exec(shard) ?? [];
  const completions = findAtPath(body, "spec", "completions");
  return [
    ...(index === "$(JOB_COMPLETION_INDEX)"
      ? []
      : [`found the shard ${index}, expected $(JOB_COMPLETION_INDEX)`]),
    ...(Number(count) === completions
      ? []
      : [`found ${completions} completions, expected ${count}, one for each shard`]),
    ...(findAtPath(body, "spec", "completionMode") === "Indexed"
      ? []
      : ["expected the completion mode Indexed"]),
  ];
}

/** The files that ConfigMaps put into a container, by path. */
export function listMountedTexts(
  container: Members,
  { spec, manifest }: Pod,
  all: readonly Manifest[],
): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { name, mountPath } of listAtPath(container, "volumeMounts")) {
    const source = findAtPath(
      listAtPath(spec, "volumes").find((volume) => volume.name === name),
      "configMap",
      "name",
    );
    const map = all.find(
      (each) => each.kind === "ConfigMap" && each.name === source && each.namespace === manifest.namespace,
    );
    for (const [file, text] of Object.entries((map?.body.data ?? {}) as Members))
      texts.set(posix.join(String(mountPath), file), String(text));
  }
  return texts;
}

const PROBES = ["startupProbe", "livenessProbe", "readinessProbe"];

function checkProbes(container: Members, pod: Pod): string[] {
  const ports = listPortNames(pod);
  return PROBES.flatMap((probe) => {
    const request = findAtPath(container, probe, "httpGet") as
      | { path: string; port: string | number }
      | undefined;
    if (request === undefined) return [];
    return [
      ...(PATHS.has(request.path) ? [] : [`${probe} asks ${request.path}, which the service does not have`]),
      ...(ports.has(String(request.port))
        ? []
        : [`${probe} asks the port ${request.port}, which is none of the Pod's`]),
    ];
  });
}

/** A container that serves: what its settings say must fit what its manifest says. */
function checkServiceSettings(
  container: Members,
  { spec }: Pod,
  settings: ReadonlyMap<SettingName, string>,
): string[] {
  const number = (name: SettingName) => Number(settings.get(name));
  const faults: string[] = [];
  const port = findAtPath(container, "ports", 0, "containerPort");
  if (port !== number("port"))
    faults.push(`found the port ${port}, expected ${number("port")}, at which it listens`);
  if (settings.get("host") !== "0.0.0.0")
    faults.push(`it listens at ${settings.get("host")}, where nobody outside of the Pod asks`);
  for (const probe of PROBES)
    if (findAtPath(container, probe) === undefined) faults.push(`it has no ${probe}`);

  const grace = Number(spec.terminationGracePeriodSeconds ?? 30);
  const drain = number("drain_delay_seconds") + number("drain_timeout_seconds") + CLOSING_SECONDS;
  if (grace < drain)
    faults.push(
      `found ${grace} s until it is killed, expected at least ${drain}: both drain times, and ${CLOSING_SECONDS} s to close`,
    );
  // A Pod takes requests until those who send them have seen that it stops.
  const unready =
    Number(findAtPath(container, "readinessProbe", "periodSeconds")) *
    Number(findAtPath(container, "readinessProbe", "failureThreshold"));
  if (!(number("drain_delay_seconds") >= unready))
    faults.push(
      `found a drain delay of ${number("drain_delay_seconds")} s, expected at least ${unready}, until the readiness probe has failed`,
    );

  const mounts = listAtPath(container, "volumeMounts").map(({ mountPath }) => String(mountPath));
  for (const name of ["data", "store_password_file", "store_file", "pepper_file"] as const) {
    const path = settings.get(name);
    if (path !== undefined && !mounts.some((mount) => path === mount || path.startsWith(`${mount}/`)))
      faults.push(`nothing is mounted at ${path}, which is ${name}`);
  }
  return faults;
}
