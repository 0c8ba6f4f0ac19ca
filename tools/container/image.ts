import { execFile } from "node:child_process";
import { chownSync, copyFileSync, cpSync, existsSync, mkdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { type Instruction, parseContainerfile, type Stage } from "./containerfile.ts";

/** What a Containerfile makes, as a folder. */
export interface Image {
  /** The folder that stands for `/`. */
  readonly root: string;
  readonly workdir: string;
  /** The numbers of the user and the group. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
  readonly entrypoint: readonly string[];
  readonly cmd: readonly string[];
}

export interface BuildOptions {
  /** The folder that COPY without `--from` copies from. */
  readonly context: string;
  /** An empty folder for the stages. */
  readonly workshop: string;
  /** What stands for the images' Node. */
  readonly node: string;
  readonly args?: Readonly<Record<string, string>>;
}

const call = promisify(execFile);
const isRoot = process.getuid?.() === 0;

/**
 * Carries out a Containerfile without a container engine: each stage is a folder, whose path is put before every
 * absolute path. The base images are not there: only their Node is. So it shows that each step does what the next
 * one needs, not what a base image brings.
 *
 * Fails: an `Error` for an instruction that it does not know, and as the steps do.
 */
export async function buildImage(text: string, options: BuildOptions): Promise<Image> {
  const built = new Map<string, string>();
  let image: Image | undefined;
  for (const [number, stage] of parseContainerfile(text).entries()) {
    const root = join(options.workshop, `stage-${number}`);
    mkdirSync(join(root, "usr/local/bin"), { recursive: true });
    copyFileSync(options.node, join(root, "usr/local/bin/node"));
    image = await buildStage(stage, root, built, options);
    built.set(stage.name ?? String(number), root);
  }
  if (image === undefined) throw new Error("found no FROM");
  return image;
}

/** A path of the image on this machine. */
export function placeIn({ root }: Pick<Image, "root">, path: string): string {
  return join(root, path);
}

/** Words of a command with the folder of the image before each absolute path. */
export function placed(root: string, text: string): string {
  return text.replaceAll(/(^|[\s="'])\/(?=[\w.])/g, (_, before: string) => `${before}${root}/`);
}

async function buildStage(
  stage: Stage,
  root: string,
  built: ReadonlyMap<string, string>,
  options: BuildOptions,
): Promise<Image> {
  let image: Image = { root, workdir: "/", user: undefined, entrypoint: [], cmd: [] };
  const args = new Map<string, string>();
  for (const instruction of stage.instructions) {
    const text = instruction.text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => args.get(name) ?? "");
    switch (instruction.name) {
      case "ARG":
        args.set(text, options.args?.[text] ?? "");
        break;
      case "WORKDIR":
        mkdirSync(join(root, text), { recursive: true });
        image = { ...image, workdir: text };
        break;
      case "COPY":
        copy(instruction, text, image, built, options);
        break;
      case "ADD":
        await add(text, image, options);
        break;
      case "RUN":
        await run(text, image);
        break;
      case "USER":
        image = { ...image, user: userOf(text) };
        break;
      case "ENTRYPOINT":
        image = { ...image, entrypoint: JSON.parse(text) };
        break;
      case "CMD":
        image = { ...image, cmd: JSON.parse(text) };
        break;
      case "EXPOSE":
        break;
      default:
        throw new Error(`found ${instruction.name}, which the test cannot carry out`);
    }
  }
  return image;
}

function copy(
  { flags }: Instruction,
  text: string,
  { root, workdir }: Image,
  built: ReadonlyMap<string, string>,
  { context }: BuildOptions,
): void {
  const [source = "", target = ""] = text.split(/\s+/);
  const from = flags.get("from");
  const stage = from === undefined ? context : built.get(from);
  if (stage === undefined) throw new Error(`there is no stage ${from}`);
  const to = target.startsWith("/") ? join(root, target) : join(root, workdir, target);
  cpSync(join(stage, source), to, { recursive: true });
  const owner = flags.get("chown");
  if (owner !== undefined && isRoot) {
    const { uid, gid } = userOf(owner);
    chownSync(to, uid, gid);
  }
}

/** A local archive is unpacked. */
async function add(text: string, { root }: Image, { context }: BuildOptions): Promise<void> {
  const [source = "", target = ""] = text.split(/\s+/);
  const archive = join(context, source);
  if (!statSync(archive).isFile()) throw new Error(`${basename(archive)} is no archive`);
  mkdirSync(join(root, target), { recursive: true });
  await call("tar", ["xzf", archive, "-C", join(root, target)]);
}

async function run(text: string, { root, workdir }: Image): Promise<void> {
  const PATH = `${join(root, "usr/local/bin")}:${process.env.PATH}`;
  const options = { cwd: join(root, workdir), env: { ...process.env, PATH }, maxBuffer: 64 * 1024 * 1024 };
  await call("/bin/sh", ["-c", placed(root, text)], options);
}

function userOf(text: string): { readonly uid: number; readonly gid: number } {
  const [, uid, gid] = /^(\d+):(\d+)$/.exec(text) ?? [];
  // Kubernetes cannot tell whether a name is root's: runAsNonRoot then refuses to start it.
  if (uid === undefined || gid === undefined || uid === "0")
    throw new Error(`found the user ${text}, expected the numbers of one without rights`);
  return { uid: Number(uid), gid: Number(gid) };
}

/** The program that an image starts, found on its path. Fails: an `Error` where there is none. */
export function entryOf(image: Image): string {
  const [name = ""] = image.entrypoint;
  const path = join(image.root, "usr/local/bin", name);
  if (!existsSync(path)) throw new Error(`found no ${name} on the path of the image`);
  return path;
}
