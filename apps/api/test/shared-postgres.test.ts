import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const FILE = fileURLToPath(new URL("shared-postgres.ts", import.meta.url));

it.each([0, 1])(
  "a run of tests that has exit code %i ends with it, though PostgreSQL's package ends the process",
  (code) => {
    const program = `
    const { default: serveServer } = await import(${JSON.stringify(FILE)});
    const stop = await serveServer({ provide() {} });
    process.exitCode = ${code};
    await stop();
  `;
    const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      encoding: "utf8",
    });
    expect(status, stderr).toBe(code);
  },
);
