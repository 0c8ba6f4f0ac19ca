import { posix } from "node:path";
import { readKnownManifests } from "../../apps/cli/src/data/manifest-files.ts";
import type { SettingName } from "../../apps/cli/src/settings/settings.ts";
import { checkCommandLine } from "./check-command-line.ts";
import {
  buildContainerEnvironment,
  findCommandWords,
  listContainers,
  listMountedTexts,
  listPods,
  type Pod,
} from "./check-manifests.ts";
import { findAtPath, listAtPath, type Manifest, type Members } from "./manifests.ts";

/**
 * Follows the commands of a page as somebody would type them, with an empty folder and an empty cluster, and checks each
 * by the rules that a shell, the API server and a kubelet have: a file is made before it is read, a namespace before
 * what lies in it, and a Pod starts only when all that it mounts is there, with the files that its settings name.
 *
 * @param script the commands, one a line
 * @param manifests all of the repository
 * @returns a line for each fault; none where all goes well
 */
export async function checkPageCommands(script: string, manifests: readonly Manifest[]): Promise<string[]> {
  const cluster = new Cluster(manifests);
  for (const line of script.replaceAll(/\\\n\s*/g, " ").split("\n")) {
    const command = line.replace(/(^|\s)#.*$/, "").trim();
    if (command !== "") await cluster.type(command.split(/\s+/));
  }
  return cluster.faults;
}

/** Programs that make a file of what they are typed or draw, and those that only change how. */
const PROGRAMS = new Set(["cat", "openssl", "rm", "umask"]);

class Cluster {
  readonly faults: string[] = [];
  readonly #manifests: readonly Manifest[];
  readonly #files = new Set<string>();
  readonly #applied: Manifest[] = [];
  /** The members of each Secret and ConfigMap that a command made. */
  readonly #made = new Map<string, ReadonlySet<string>>();
  /** Jobs that have been created, and what happens when they are done. */
  readonly #jobs = new Map<string, () => void>();
  readonly #filled = new Set<string>();
  readonly #rolledOut = new Set<string>();
  /** Effects of Jobs that ended: `org` made the state. */
  readonly #done = new Set<string>();

  constructor(manifests: readonly Manifest[]) {
    this.#manifests = manifests;
  }

  async type(words: readonly string[]): Promise<void> {
    const report = (fault: string) => this.faults.push(`${words.join(" ")}: ${fault}`);
    if (words[0] !== "kubectl") {
      const to = words.indexOf(">");
      if (!PROGRAMS.has(words[0]!)) report("it is not known here");
      if (to !== -1) this.#files.add(words[to + 1]!);
      if (words[0] === "rm" && !this.#files.delete(words[1]!)) report(`no line made the file ${words[1]}`);
      return;
    }
    const dashes = words.indexOf("--");
    const own = dashes === -1 ? words.slice(1) : words.slice(1, dashes);
    const namespace = own[0] === "-n" ? own[1] : undefined;
    const [verb, ...rest] = namespace === undefined ? own : own.slice(2);
    if (namespace !== undefined && !this.#has("Namespace", namespace))
      report(`there is no namespace ${namespace} yet`);
    const operands = rest.filter((word) => !word.startsWith("-"));
    const [kind = "", name = ""] = operands.flatMap((word) => word.split("/"));
    switch (`${verb} ${kind}`) {
      case "create secret":
      case "create configmap":
        return this.#make(
          verb === "create" && kind === "secret" ? `Secret ${operands[2]}` : `ConfigMap ${name}`,
          rest,
          report,
        );
      case "create job": {
        const from = rest.find((word) => word.startsWith("--from="))?.replace("--from=cronjob/", "");
        const cronJob = this.#applied.find((each) => each.kind === "CronJob" && each.name === from);
        if (cronJob === undefined) report(`there is no CronJob ${from} yet`);
        else await this.#start(listPods(cronJob)[0]!, name, report);
        return;
      }
      case "logs job": {
        const finish = this.#jobs.get(name);
        if (finish === undefined) report(`there is no Job ${name} yet`);
        // Without it, the next line is typed before the Job is done.
        else if (rest.includes("--follow")) finish();
        return;
      }
      case "rollout status":
        if (!this.#has("Deployment", operands[1]!.split("/")[1]!)) report("there is no such Deployment yet");
        this.#rolledOut.add(operands[1]!.split("/")[1]!);
        return;
      case "exec deploy":
        if (!this.#rolledOut.has(name)) report(`no Pod of ${name} is known to run yet`);
        return this.#run(name, words.slice(dashes + 1), report);
      default:
        if (verb === "apply" && rest[0] === "-f") return this.#apply(rest[1]!, report);
        report("it is not known here");
    }
  }

  #has(kind: string, name: string): boolean {
    return this.#applied.some((each) => each.kind === kind && each.name === name);
  }

  #make(key: string, rest: readonly string[], report: (fault: string) => void): void {
    const files = rest.flatMap((word) =>
      word.startsWith("--from-file=") ? [word.slice("--from-file=".length)] : [],
    );
    for (const file of files) if (!this.#files.has(file)) report(`no line made the file ${file}`);
    this.#made.set(key, new Set(files));
  }

  async #apply(file: string, report: (fault: string) => void): Promise<void> {
    const resources = this.#manifests.filter((manifest) => manifest.file === file);
    if (resources.length === 0) report("there is no such manifest");
    for (const resource of resources) {
      const { namespace, kind, name } = resource;
      if (namespace !== undefined && !this.#has("Namespace", namespace))
        report(`there is no namespace ${namespace} yet`);
      this.#applied.push(resource);
      if (kind === "CronJob") continue;
      for (const pod of listPods(resource)) await this.#start(pod, name, report);
    }
  }

  /** Starts a Pod, as a kubelet does once all that it mounts is there. */
  async #start(pod: Pod, name: string, report: (fault: string) => void): Promise<void> {
    for (const volume of listAtPath(pod.spec, "volumes")) {
      const missing = this.#missingOf(volume);
      if (missing !== undefined) report(`its Pod waits in ContainerCreating: there is no ${missing} yet`);
    }
    for (const container of listContainers(pod.spec)) {
      const words = findCommandWords(container) ?? [];
      const { settings } = await checkCommandLine(
        words,
        buildContainerEnvironment(container),
        listMountedTexts(container, pod, this.#applied),
      );
      this.#checkSecrets(container, pod, settings, report);
      const claim = listAtPath(pod.spec, "volumes").flatMap(
        (each) => findAtPath(each, "persistentVolumeClaim", "claimName") ?? [],
      )[0];
      if (words[0] === "org") this.#jobs.set(name, () => this.#done.add("org"));
      if (words[0] === "sources") {
        this.#checkSources(words, report);
        this.#jobs.set(name, () => this.#filled.add(String(claim)));
      }
      if (words[0] !== "serve") continue;
      if (!this.#done.has("org")) report("its Pods end with STORE_MISSING: no Job has made the state yet");
      if (!this.#filled.has(String(claim)))
        report("its Pods serve an empty volume, so they are degraded and refuse questions");
    }
  }

  #missingOf(volume: Members): string | undefined {
    const secret = findAtPath(volume, "secret", "secretName");
    if (secret !== undefined && !this.#made.has(`Secret ${secret}`)) return `Secret ${secret}`;
    const map = findAtPath(volume, "configMap", "name");
    const isThere = map === undefined || findAtPath(volume, "configMap", "optional") === true;
    if (!isThere && !this.#has("ConfigMap", String(map)) && !this.#made.has(`ConfigMap ${map}`))
      return `ConfigMap ${map}`;
    const claim = findAtPath(volume, "persistentVolumeClaim", "claimName");
    if (claim !== undefined && !this.#has("PersistentVolumeClaim", String(claim)))
      return `PersistentVolumeClaim ${claim}`;
    return undefined;
  }

  /** The files that settings name lie in the Secret that is mounted there. */
  #checkSecrets(
    container: Members,
    { spec }: Pod,
    settings: ReadonlyMap<SettingName, string>,
    report: (fault: string) => void,
  ): void {
    for (const { name, mountPath } of listAtPath(container, "volumeMounts")) {
      const secret = findAtPath(
        listAtPath(spec, "volumes").find((volume) => volume.name === name),
        "secret",
        "secretName",
      );
      const members = this.#made.get(`Secret ${secret}`);
      if (members === undefined) continue;
      for (const setting of ["store_password_file", "store_file", "pepper_file"] as const) {
        const path = settings.get(setting);
        if (path === undefined || posix.dirname(path) !== mountPath || members.has(posix.basename(path)))
          continue;
        report(`its Pod finds no ${path}, which is ${setting}: the Secret ${secret} has no such member`);
      }
    }
  }

  /** An empty volume has no manifests: those of the image have to do, where they name the URLs of their files. */
  #checkSources(words: readonly string[], report: (fault: string) => void): void {
    const names = words.slice(2).filter((word) => !word.startsWith("-"));
    if (names.length === 0) report("it names no source, and the volume has no manifests");
    const known = readKnownManifests("/nowhere");
    for (const name of names) {
      const { source } = known.find((each) => each.source?.manifest.source_name === name) ?? {};
      if (source === undefined) report(`no manifest of ${name} comes with the image`);
      else if (findAtPath(source.fetch, "url") === undefined)
        report(`the manifest of ${name} has no URL of its file`);
    }
  }

  async #run(deployment: string, words: readonly string[], report: (fault: string) => void): Promise<void> {
    const pod = this.#applied
      .filter((each) => each.kind === "Deployment" && each.name === deployment)
      .flatMap(listPods)[0];
    if (pod === undefined) return;
    const [container] = listContainers(pod.spec);
    const { faults } = await checkCommandLine(
      words.slice(1),
      buildContainerEnvironment(container!),
      listMountedTexts(container!, pod, this.#applied),
    );
    for (const fault of faults) report(fault);
  }
}
