import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listRepositoryFiles, REPOSITORY as root } from "./machine/repository.ts";

const CHANGES_PROCESS =
  /vi\.(?:stubEnv|stubGlobal|useFakeTimers|setSystemTime)\(|process\.(?:chdir|emit)\(|(?<!')process\.kill\(process\.pid|process\.env\.\w+ \?{0,2}= |globalThis\.\w+ = /;

it("changes what other tests share in no test but those with a process of their own", () => {
  const files = listRepositoryFiles(["*.test.ts", "*.test.tsx"]);
  const shared = files.filter((file) => !/\.(?:alone|long|browser)\./.test(file));
  expect(shared.length).toBeGreaterThan(300);
  const self = "tools/own-process.test.ts";
  const changing = shared.filter(
    (file) => file !== self && CHANGES_PROCESS.test(readFileSync(join(root, file), "utf8")),
  );
  expect(changing).toEqual([]);
});
