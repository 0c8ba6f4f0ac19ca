import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Ending } from "./end-while-loading.ts";
import { buildServeArguments, createCommandServer, type Deployment } from "./serve-target.ts";

const ENDINGS: readonly Ending[] = ["exit", "throw", "terminate"];
const PROGRAM = fileURLToPath(new URL("./end-while-loading.ts", import.meta.url));

/**
 * Ends processes while their workers load, each way in turn: when a worker is just ready, or at random.
 *
 * @throws where one died otherwise than it was told to
 */
export async function endWhileLoading(count: number, random: () => number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const ending = ENDINGS[i % ENDINGS.length]!;
    const after = i % 2 === 0 ? "ready" : String(Math.floor(random() * 1_000));
    const run = promisify(execFile)(process.execPath, [PROGRAM, ending, after]);
    const how = await run.then(
      () => 0,
      (error: { code: number | null; signal: NodeJS.Signals | null; stderr: string }) => {
        return error.stderr.includes("on purpose") && error.code === 1 ? 0 : (error.signal ?? error.stderr);
      },
    );
    if (how !== 0) throw new Error(`${ending} after ${after} ended with ${how}`);
  }
}

/**
 * `groundrule serve` on a port that is taken, and told to stop at random while it starts.
 *
 * @throws where it ended with anything but the code that says so
 */
export async function endServingEarly(
  deployment: Deployment,
  store: string,
  count: number,
  random: () => number,
): Promise<void> {
  await createCommandServer(deployment)(store, 1);
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  try {
    for (let i = 0; i < count; i++) {
      const isTaken = i % 2 === 0;
      const args = buildServeArguments({ ...deployment, store, key: "" }, isTaken ? port : 0);
      const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
      let said = "";
      child.stderr.on("data", (data: Buffer) => {
        said += data.toString();
      });
      if (!isTaken) void sleep(random() * 2_000).then(() => child.kill("SIGINT"));
      const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
      // Before anybody listens for it, a signal ends a process as it would any other.
      const isExpected = isTaken
        ? code === 4 && said.includes("is taken by another process")
        : code === 0 || signal === "SIGINT";
      if (!isExpected) throw new Error(`${isTaken ? "taken port" : "SIGINT"}: ${code ?? signal}\n${said}`);
    }
  } finally {
    taken.close();
  }
}
