import { execFile } from "node:child_process";
import { chownSync, copyFileSync, cpSync, existsSync, mkdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";

/** Result of a Containerfile, as a folder. */
export interface Image {
  /** The folder that stands for `/`. */
  readonly root: string;
  readonly workdir: string;
  readonly user?: User;
  readonly entrypoint: readonly string[];
  readonly cmd: readonly string[];
}

/** By numbers. */
interface User {
  readonly uid: number;
  readonly gid: number;
}

export interface BuildOptions {
  /** The folder that COPY without `--from` copies from. */
  readonly context: string;
  /** An empty folder for the stages. */
  readonly workshop: string;
  /** Program that replaces the images' Node. */
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
export async function buildContainerImage(text: string, options: BuildOptions): Promise<Image> {
  const stages = new Map<string, string>();
  let image: Image | undefined;
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n");
  for (const line of lines.filter((each) => each.trim() !== "")) {
    const [, name, rest = ""] = /^([A-Z]+) +(\S.*?)\s*$/.exec(line) ?? [];
    if (name === "FROM") {
      const root = join(options.workshop, `stage-${stages.size}`);
      mkdirSync(join(root, "usr/local/bin"), { recursive: true });
      copyFileSync(options.node, join(root, "usr/local/bin/node"));
      stages.set(/ AS (\S+)$/.exec(rest)?.[1] ?? String(stages.size), root);
      image = { root, workdir: "/", entrypoint: [], cmd: [] };
    } else if (image !== undefined) {
      const said = rest.replaceAll(/\$\{(\w+)\}/g, (_, arg: string) => options.args?.[arg] ?? "");
      image = { ...image, ...(await carryOutInstruction(name, said, image, stages, options)) };
    } else if (name !== "ARG") throw new Error(`found ${line} before any FROM`);
  }
  if (image === undefined) throw new Error("found no FROM");
  return image;
}

/** @returns what it changes of the image's settings */
async function carryOutInstruction(
  name: string | undefined,
  text: string,
  { root, workdir }: Image,
  stages: ReadonlyMap<string, string>,
  { context }: BuildOptions,
): Promise<Partial<Image> | undefined> {
  switch (name) {
    case "ARG":
    case "EXPOSE":
      return undefined;
    case "WORKDIR":
      mkdirSync(join(root, text), { recursive: true });
      return { workdir: text };
    case "COPY": {
      const words = text.split(/\s+/);
      const [source = "", target = ""] = words.filter((word) => !word.startsWith("--"));
      const flag = (of: string) => words.find((word) => word.startsWith(of))?.slice(of.length);
      const [from, owner] = [flag("--from="), flag("--chown=")];
      const stage = from === undefined ? context : stages.get(from);
      if (stage === undefined) throw new Error(`there is no stage ${from}`);
      const to = target.startsWith("/") ? join(root, target) : join(root, workdir, target);
      cpSync(join(stage, source), to, { recursive: true });
      if (owner === undefined || !isRoot) return undefined;
      const { uid, gid } = parseNumericUser(owner);
      chownSync(to, uid, gid);
      return undefined;
    }
    case "ADD": {
      // A local archive is unpacked.
      const [source = "", target = ""] = text.split(/\s+/);
      const archive = join(context, source);
      if (!statSync(archive).isFile()) throw new Error(`${basename(archive)} is no archive`);
      mkdirSync(join(root, target), { recursive: true });
      await call("tar", ["xzf", archive, "-C", join(root, target)]);
      return undefined;
    }
    case "RUN": {
      const env = { ...process.env, PATH: `${join(root, "usr/local/bin")}:${process.env.PATH}` };
      const words = ["-c", prefixAbsolutePaths(root, text)];
      await call("/bin/sh", words, { cwd: join(root, workdir), env, maxBuffer: 64 * 1024 * 1024 });
      return undefined;
    }
    case "USER":
      return { user: parseNumericUser(text) };
    case "ENTRYPOINT":
      return { entrypoint: JSON.parse(text) };
    case "CMD":
      return { cmd: JSON.parse(text) };
    default:
      throw new Error(`found ${name} ${text}, which the test cannot carry out`);
  }
}

/** A path of the image on this machine. */
export function toHostPath({ root }: Pick<Image, "root">, path: string): string {
  return join(root, path);
}

/** Words of a command with the folder of the image before each absolute path. */
export function prefixAbsolutePaths(root: string, text: string): string {
  return text.replaceAll(/(^|[\s="'])\/(?=[\w.])/g, (_, before: string) => `${before}${root}/`);
}

function parseNumericUser(text: string): User {
  const [, uid, gid] = /^(\d+):(\d+)$/.exec(text) ?? [];
  // Kubernetes cannot tell whether a name is root's: runAsNonRoot then refuses to start it.
  if (uid === undefined || gid === undefined || uid === "0")
    throw new Error(`found the user ${text}, expected the numbers of one without rights`);
  return { uid: Number(uid), gid: Number(gid) };
}

/** The program that an image starts, found on its path. Fails: an `Error` where there is none. */
export function findEntryProgram(image: Image): string {
  const [name = ""] = image.entrypoint;
  const path = join(image.root, "usr/local/bin", name);
  if (!existsSync(path)) throw new Error(`found no ${name} on the path of the image`);
  return path;
}
