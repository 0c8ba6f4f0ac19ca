import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeEach } from "vitest";

/** A temporary folder of the tests of a file. */
export interface TestFolder {
  /** The path of a file in it; its own path without names. */
  at(...names: string[]): string;
  /** Writes texts and bytes unchanged, and other values as JSON. @returns the path */
  write(name: string, content: unknown): string;
}

/** A folder that the tests share, removed after them. */
export function createSharedFolder(): TestFolder {
  const path = make();
  afterAll(() => remove(path));
  return createTestFolder(() => path);
}

/** An empty folder for each test. */
export function createFolderForEach(): TestFolder {
  let path = "";
  beforeEach(() => {
    path = make();
  });
  afterEach(() => remove(path));
  return createTestFolder(() => path);
}

const make = () => mkdtempSync(join(tmpdir(), "groundrule-test-"));
const remove = (path: string) => rmSync(path, { recursive: true, force: true });

function createTestFolder(path: () => string): TestFolder {
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
