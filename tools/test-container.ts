/**
 * Carries out the Containerfiles of `deploy` in clean folders, and uses what they make as an unprivileged user who
 * may write to nothing but the data folder. There is no container engine in it: what base images bring, layers and
 * the isolation of a container are not tested.
 */
import { execFile, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { followService } from "../apps/api/test/followed-service.ts";
import {
  buildContainerImage,
  findEntryProgram,
  type Image,
  prefixAbsolutePaths,
  toHostPath,
} from "./container/image.ts";
import { checkPromise, reportChecks } from "./machine/promises.ts";
import { listRepositoryFiles, REPOSITORY as root } from "./machine/repository.ts";

const workshop = mkdtempSync(join(tmpdir(), "groundrule-container-"));
const call = promisify(execFile);
const isRoot = process.getuid?.() === 0;
const PLOT = createSquarePolygon(-59.6, -10.6, 0.1);

try {
  // An unprivileged user has to get at what is below.
  chmodSync(workshop, 0o755);
  const context = join(workshop, "context");
  copyRepository(context);
  const node = process.execPath;
  await checkPromise(
    "the Node of the images is the one that the tests run with, pinned by its digest",
    async () => {
      for (const file of ["Containerfile", "Containerfile.bundle"]) {
        const images = readDeployFile(file).match(/^FROM .*$/gm) ?? [];
        const pinned = new RegExp(`/node:${process.versions.node}-[\\w-]+@\\$\\{NODE_DIGEST\\}( AS |$)`);
        const other = images.filter((image) => !pinned.test(image));
        if (images.length === 0 || other.length > 0) throw new Error(`${file} has ${other.join(", ")}`);
      }
    },
  );
  await checkPromise("the build leaves out what the repository ignores", async () => {
    const ignored = readFileSync(join(root, ".dockerignore"), "utf8");
    for (const line of readFileSync(join(root, ".gitignore"), "utf8").trim().split("\n")) {
      if (!ignored.includes(line.replace(/\/$/, ""))) throw new Error(`.dockerignore lacks ${line}`);
    }
  });
  const service = await buildDeployImage("Containerfile", { context, node });
  if (service !== undefined) await checkServiceImage(service);
  if (service !== undefined) await checkBundleImage(service, node);
} finally {
  execFileSync("chmod", ["-R", "u+w", workshop]);
  rmSync(workshop, { recursive: true, force: true });
}
console.log("not tested, for want of a container engine: the base images, layers, isolation");
reportChecks();

function readDeployFile(file: string): string {
  return readFileSync(join(root, "deploy", file), "utf8");
}

/** The files of the repository as they are now, without what it ignores. */
function copyRepository(target: string): void {
  for (const file of listRepositoryFiles()) {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    cpSync(join(root, file), join(target, file), { force: true });
  }
}

async function buildDeployImage(
  file: string,
  options: { readonly context: string; readonly node: string; readonly args?: Record<string, string> },
): Promise<Image | undefined> {
  const folder = join(workshop, file);
  mkdirSync(folder);
  let image: Image | undefined;
  await checkPromise(`the steps of ${file} can be carried out`, async () => {
    image = await buildContainerImage(readDeployFile(file), { ...options, workshop: folder });
    execFileSync("chmod", ["-R", "a-w", image.root]);
    const packages = readdirSync(join(image.root, "opt/groundrule"), { recursive: true, encoding: "utf8" });
    const strays = packages.filter((path) => /(?:^|\/)node_modules(?:\/|$)|\.ts$/.test(path));
    if (strays.length > 0) throw new Error(`found ${strays.slice(0, 3).join(", ")} in the image`);
  });
  return image;
}

/** Runs the image with other words than its CMD. @returns what it printed */
async function runImage(
  image: Image,
  words: readonly string[],
  more: Record<string, string> = {},
): Promise<string> {
  const { stdout } = await call(findEntryProgram(image), words, {
    ...buildStartOptions(image, more),
    timeout: 120_000,
  });
  return stdout;
}

/** Folder, environment and user that a container has. */
function buildStartOptions(image: Image, more: Record<string, string> = {}) {
  const PATH = `${toHostPath(image, "usr/local/bin")}:/usr/bin:/bin`;
  // No home, and a folder for temporary files that is not there.
  const env = { PATH, HOME: "/", TMPDIR: toHostPath(image, "tmp"), ...more };
  return { cwd: toHostPath(image, image.workdir), env, ...(isRoot && image.user) };
}

async function checkServiceImage(image: Image): Promise<void> {
  const data = toHostPath(image, "var/lib/groundrule");
  await checkPromise("an unprivileged user can write to the data folder alone", async () => {
    chmodSync(data, 0o755);
    const touch = (path: string) =>
      call("/usr/bin/touch", [toHostPath(image, path)], buildStartOptions(image));
    await touch("var/lib/groundrule/mine");
    for (const path of ["mine", "opt/groundrule/mine", "usr/local/bin/mine"]) {
      await touch(path).then(
        () => Promise.reject(new Error(`it could write ${path}`)),
        () => undefined,
      );
    }
  });
  await checkPromise("the image makes data, an organization and a key", async () => {
    await runImage(image, ["demo", "--build-only", "--data", data]);
    const created = await runImage(image, ["org", "create", "First", "--quota", "10", "--data", data]);
    const { org_id } = JSON.parse(created);
    const key = JSON.parse(
      await runImage(image, ["key", "create", "--org", org_id, "--mode", "live", "--data", data]),
    );
    writeFileSync(join(workshop, "key"), key.key);
  });
  await checkPromise(
    "the image serves as it is started without words, and answers about a plot",
    async () => {
      const words = image.cmd.map((word) => prefixAbsolutePaths(image.root, word));
      const start = buildStartOptions(image, { GROUNDRULE_PORT: "0" });
      const service = await followService(spawn(findEntryProgram(image), words, start));
      try {
        const { port } = new URL(service.url);
        const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
        for (const path of ["/healthz", "/readyz", "/docs", "/docs/guides", "/console/"]) {
          const { status } = await ask(path);
          if (status !== 200) throw new Error(`${path} answered ${status}`);
        }
        const answer = await ask("/v1/intersections", {
          method: "POST",
          headers: {
            "Content-Type": "application/json",
            Authorization: `Bearer ${readFileSync(join(workshop, "key"), "utf8")}`,
            "Idempotency-Key": "first-plot",
          },
          body: JSON.stringify({ input: { geometry: PLOT } }),
        });
        if (answer.status !== 200) throw new Error(`it answered ${answer.status}: ${await answer.text()}`);
      } finally {
        await service.stop("SIGTERM");
      }
      const how = await service.ended;
      if (how !== 0) throw new Error(`it ended with ${how} on SIGTERM`);
    },
  );
}

/** A bundle that the image of the service makes becomes an image of its own. */
async function checkBundleImage(service: Image, node: string): Promise<void> {
  const data = toHostPath(service, "var/lib/groundrule");
  let archive = "";
  await checkPromise("the image bundles its program with a ruleset and its snapshots", async () => {
    const check = { id: "park", set: "parks", outcome: "NON_COMPLIANT" };
    const ruleset = join(data, "ruleset.json");
    writeFileSync(ruleset, JSON.stringify({ sets: { parks: { sources: ["demo:parks"] } }, checks: [check] }));
    const words = ["bundle", "--no-node", "--data", data, "--ruleset", ruleset, "--output", data, "--json"];
    archive = JSON.parse(await runImage(service, words)).archive;
  });
  if (archive === "") return;
  const BUNDLE = archive.slice(data.length + 1);
  const image = await buildDeployImage("Containerfile.bundle", { context: data, node, args: { BUNDLE } });
  if (image === undefined) return;
  await checkPromise("an image of a bundle screens without any data but its own", async () => {
    const plots = join(workshop, "plots.ndjson");
    writeFileSync(plots, `${JSON.stringify({ type: "Feature", id: "p", properties: {}, geometry: PLOT })}\n`);
    const printed = await runImage(image, ["screen", "--workers", "2", plots]);
    if (!/"verdict":"(?:NON_)?COMPLIANT"/.test(printed)) throw new Error(`it printed ${printed}`);
  });
}
