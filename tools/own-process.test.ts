import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const CHANGES_PROCESS =
  /vi\.(?:stubEnv|stubGlobal|useFakeTimers|setSystemTime)\(|process\.(?:chdir|emit)\(|(?<!')process\.kill\(process\.pid|process\.env\.\w+ \?{0,2}= |globalThis\.\w+ = /;

it("changes what other tests share in no test but those with a process of their own", () => {
  const files = execFileSync("git", ["ls-files", "*.test.ts", "*.test.tsx"], { cwd: root, encoding: "utf8" });
  const shared = files.split("\n").filter((file) => file !== "" && !/\.(?:alone|long|browser)\./.test(file));
  expect(shared.length).toBeGreaterThan(300);
  const self = "tools/own-process.test.ts";
  const changing = shared.filter(
    (file) => file !== self && CHANGES_PROCESS.test(readFileSync(join(root, file), "utf8")),
  );
  expect(changing).toEqual([]);
});
