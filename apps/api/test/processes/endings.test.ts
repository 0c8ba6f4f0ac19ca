import { globSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../../../..");
const WORKERS = globSync("{apps,packages}/*/src/**/*-worker.ts", { cwd: ROOT });
const require = createRequire(import.meta.url);

describe("a worker thread that loads its modules", () => {
  it("is one of some", () => {
    expect(WORKERS.length).toBeGreaterThan(3);
  });

  it.each(WORKERS)("awaits nothing at the top of a module: %s", (worker) => {
    // V8 takes the process with it when a thread is ended in a module that depends on such a one.
    let code: unknown;
    try {
      require(join(ROOT, worker));
    } catch (error) {
      // It does not run in this thread; that it was about to says that it could be loaded.
      ({ code } = error as { code?: unknown });
    }
    expect(code).not.toBe("ERR_REQUIRE_ASYNC_MODULE");
  });
});
