import { execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { layOutDemo } from "@groundrule/testing/demo-folder";
import { followService } from "./followed-service.ts";
import { withTemporaryFolder } from "./temporary-folder.ts";

const COMMAND = fileURLToPath(new URL("../../cli/src/main.ts", import.meta.url));

/** The command that serves the demo's data, and a live key to ask it with. */
export interface DemoService {
  readonly url: string;
  readonly key: string;
  /** An empty folder that goes with the service. */
  readonly dir: string;
  /** @param body sent as JSON by POST; without one, GET */
  ask(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

/**
 * Runs something against `groundrule serve` on the data of `groundrule demo`, on a free port.
 *
 * @param options of the command, beside those
 */
export async function withDemoService<Result>(
  action: (service: DemoService) => Promise<Result>,
  options: readonly string[] = [],
): Promise<Result> {
  return withTemporaryFolder(async (dir) => {
    const data = ["--data", join(dir, "data")];
    const groundrule = async (...args: string[]): Promise<string> =>
      (await promisify(execFile)(process.execPath, [COMMAND, ...args, ...data])).stdout;
    await layOutDemo(join(dir, "data"));
    const { org_id } = JSON.parse(await groundrule("org", "create", "Demo", "--quota", "100000000"));
    const { key } = JSON.parse(await groundrule("key", "create", "--org", org_id));
    const limits = ["--rate-limit", "1000000", "--burst", "1000000"];
    const words = ["serve", ...data, ...limits, ...options, "--port", "0"];
    const service = await followService(spawn(process.execPath, [COMMAND, ...words]));
    const { url } = service;
    try {
      const common = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
      const ask: DemoService["ask"] = (path, body, headers = {}) =>
        fetch(`${url}${path}`, {
          method: body === undefined ? "GET" : "POST",
          headers: { ...common, ...headers },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
      return await action({ url, key, dir, ask });
    } finally {
      await service.stop();
    }
  });
}
