import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { listRepositoryFiles, REPOSITORY as root } from "../machine/repository.ts";

export interface PackedPackage {
  readonly name: string;
  readonly folder: string;
  readonly tarball: string;
  /** As a stranger gets it. */
  readonly manifest: Manifest;
  readonly readme: string;
}

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly engines: { readonly node: string };
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const call = promisify(execFile);

/**
 * Packs every package that is published into a folder. They are built and packed once for each state of all files that
 * git does not ignore.
 */
export async function packPublishedPackages(destination: string): Promise<PackedPackage[]> {
  const folders = listPublishedFolders();
  const packed = join(root, "node_modules/.cache/packed", computeFilesState());
  if (!existsSync(packed)) {
    const packing = `${packed}-${process.pid}`;
    mkdirSync(packing, { recursive: true });
    await call(process.execPath, [join(root, "tools/packages/build.mjs"), ...folders], { cwd: root });
    await Promise.all(folders.map((folder) => packFolder(folder, packing)));
    renameSync(packing, packed);
  }
  cpSync(packed, destination, { recursive: true });
  return Promise.all(folders.map((folder) => readPackedPackage(folder, destination)));
}

function computeFilesState(): string {
  const hash = createHash("sha256").update(process.version);
  for (const name of listRepositoryFiles()) hash.update(name).update(readFileSync(join(root, name)));
  return hash.digest("hex");
}

/** The folders of the packages that are published. */
export function listPublishedFolders(): string[] {
  const groups = ["packages", "apps"].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(root, group, name)),
  );
  // Not all of them are packages of npm: one is of Python.
  const packages = [...groups, join(root, "data")].filter((folder) =>
    existsSync(join(folder, "package.json")),
  );
  return packages.filter((folder) => readPackageManifest(folder).private !== true);
}

function readPackageManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

async function packFolder(folder: string, destination: string): Promise<void> {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  // The work of prepack is done already, for all of them at once.
  const args = [
    "--yes",
    "--prefer-offline",
    packageManager.split("+")[0],
    "pack",
    "--config.ignore-scripts=true",
  ];
  await call("npx", [...args, "--pack-destination", destination], { cwd: folder });
}

async function readPackedPackage(folder: string, destination: string): Promise<PackedPackage> {
  const { name, version } = readPackageManifest(folder);
  const tarball = join(destination, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
  const [manifest, readme] = await Promise.all(
    ["package.json", "README.md"].map(async (file) => {
      const { stdout } = await call("tar", ["xzOf", tarball, `package/${file}`]);
      return stdout;
    }),
  );
  return { name, folder, tarball, manifest: JSON.parse(manifest!), readme: readme! };
}
