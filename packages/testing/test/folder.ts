import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeEach } from "vitest";

/** A temporary folder of the tests of a file. */
export interface TestFolder {
  /** The path of what is in it; its own without names. */
  at(...names: string[]): string;
  /** Writes texts and bytes as they are, and all else as JSON. @returns the path */
  write(name: string, content: unknown): string;
}

/** One that the tests share, which goes after them. */
export function sharedFolder(): TestFolder {
  const path = make();
  afterAll(() => remove(path));
  return folder(() => path);
}

/** An empty one for each test. */
export function folderOfEach(): TestFolder {
  let path = "";
  beforeEach(() => {
    path = make();
  });
  afterEach(() => remove(path));
  return folder(() => path);
}

const make = () => mkdtempSync(join(tmpdir(), "groundrule-test-"));
const remove = (path: string) => rmSync(path, { recursive: true, force: true });

function folder(path: () => string): TestFolder {
  const at = (...names: string[]) => join(path(), ...names);
  return {
    at,
    write(name, content) {
      mkdirSync(dirname(at(name)), { recursive: true });
      const isRaw = typeof content === "string" || content instanceof Uint8Array;
      writeFileSync(at(name), isRaw ? content : JSON.stringify(content));
      return at(name);
    },
  };
}
