import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  array,
  checkShape,
  choice,
  number,
  object,
  optional,
  type Shape,
  text,
} from "@groundrule/engine/internal";
import { parseStrictJson } from "@groundrule/engine/internal/json";
import type { GuardFinding } from "@groundrule/node";
import { GUARDS, syncFolderToDisk, writeReadableFile } from "@groundrule/node/internal";

/** The publisher's data about a file that identify its version, to find out later if there is another one. */
export interface Validator {
  readonly url: string;
  readonly etag?: string | undefined;
  readonly last_modified?: string | undefined;
}

/** A file that was downloaded whole. */
export interface Download extends Validator {
  /** SHA-256 of the file as it was sent. */
  readonly sha256: string;
  /** The publisher's SHA-256 that it was compared with; of the unpacked file where the server packed it. */
  readonly checksum?: string | undefined;
  readonly bytes: number;
}

/** A file that is being downloaded: the next run goes on with it. */
export interface PartialDownload extends Validator {
  /** Bytes that are on the disk for certain. */
  readonly bytes: number;
  /** Bytes of the whole file, where the server declared them. */
  readonly total?: number | undefined;
  /** When its first bytes were sent, by the server's clock. */
  readonly date?: string | undefined;
}

/** The last edition that was built, whether it became current or not. */
export interface Built {
  /** SHA-256 of its file. */
  readonly sha256: string;
  readonly recipe: string;
  readonly edition: string;
  /** Why it did not become current, if guards objected. */
  readonly findings: readonly GuardFinding[];
}

/**
 * The folder of one source's downloads: `state.json` names the whole file, `part` and `part.json` are of the one under
 * way. A crash at any point leaves either the old state or the new one, and a part that is at least as long as
 * `part.json` says.
 */
export class DownloadFolder {
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  get partPath(): string {
    return join(this.dir, "part");
  }

  /** Path of a whole file. */
  toPath({ sha256 }: Pick<Download, "sha256">): string {
    return join(this.dir, `${sha256}.data`);
  }

  /** Last download, if its file is still there. */
  download(): Download | undefined {
    const found = this.#read("state.json", downloadShape);
    return found !== undefined && existsSync(this.toPath(found)) ? found : undefined;
  }

  /** Partial file of an earlier run, if as much of it is there as recorded. */
  part(): PartialDownload | undefined {
    const found = this.#read("part.json", partShape);
    const size = statSync(this.partPath, { throwIfNoEntry: false })?.size ?? 0;
    return found !== undefined && size >= found.bytes ? found : undefined;
  }

  writePart(part: PartialDownload): void {
    this.#write("part.json", part, partShape);
  }

  make(): void {
    // Only a name that is not durable can be lost by a crash, and then the folder is made again.
    mkdirSync(this.dir, { recursive: true });
  }

  removePart(): void {
    for (const name of ["part.json", "part"]) rmSync(join(this.dir, name), { force: true });
  }

  /** Makes the part, which is whole, the file of this source, and removes every other. */
  accept(download: Download): void {
    renameSync(this.partPath, this.toPath(download));
    syncFolderToDisk(this.dir);
    this.#write("state.json", download, downloadShape);
    this.clean(download);
  }

  /** Last build, of this or an earlier download. */
  built(): Built | undefined {
    return this.#read("built.json", builtShape);
  }

  writeBuilt(built: Built): void {
    this.make();
    this.#write("built.json", built, builtShape);
  }

  /** Forgets the whole file, which is then downloaded again. */
  forget(): void {
    rmSync(join(this.dir, "state.json"), { force: true });
    this.clean();
  }

  /** Removes what neither `state.json` nor a part needs, as a crash or an older release leaves it. */
  clean(download: Download | undefined = this.download()): void {
    const kept = new Set(["state.json", "built.json"]);
    if (download !== undefined) kept.add(`${download.sha256}.data`);
    if (this.part() !== undefined) kept.add("part").add("part.json");
    for (const name of readdirSync(this.dir)) {
      if (!kept.has(name)) rmSync(join(this.dir, name), { force: true });
    }
  }

  #read<Value>(name: string, shape: Shape<Value>): Value | undefined {
    try {
      const checked = checkShape(shape, parseStrictJson(readFileSync(join(this.dir, name))));
      return checked.faults === undefined ? checked.value : undefined;
    } catch {
      // Not there, or damaged: the file is downloaded again.
      return undefined;
    }
  }

  #write<Value extends object>(name: string, value: Value, shape: Shape<Value>): void {
    writeReadableFile(join(this.dir, name), `${JSON.stringify(value)}\n`, (bytes) =>
      findShapeFault(shape, bytes),
    );
  }
}

function findShapeFault<Value>(shape: Shape<Value>, bytes: Uint8Array): string | undefined {
  try {
    const { faults } = checkShape(shape, parseStrictJson(bytes));
    return faults && `at "${faults[0].pointer}": ${faults[0].message}`;
  } catch (error) {
    return (error as Error).message;
  }
}

const count = number({ whole: true, min: 0 });
const digest = text({ pattern: /^[0-9a-f]{64}$/ });
const partShape: Shape<PartialDownload> = object<PartialDownload>({
  url: text(),
  etag: optional(text()),
  last_modified: optional(text()),
  bytes: count,
  total: optional(count),
  date: optional(text()),
});
const downloadShape: Shape<Download> = object<Download>({
  url: text(),
  etag: optional(text()),
  last_modified: optional(text()),
  sha256: digest,
  checksum: optional(digest),
  bytes: count,
});
const builtShape: Shape<Built> = object<Built>({
  sha256: digest,
  recipe: digest,
  edition: digest,
  findings: array(
    object<GuardFinding>({ guard: choice(...GUARDS), message: text(), found: number(), allowed: number() }),
  ),
});
