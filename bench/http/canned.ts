import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Settlement, SettleOutcome } from "../../apps/api/src/ledger/arbitrate.ts";
import { GroupCommit } from "../../apps/api/src/store/driver/group-commit.ts";
import type { Store } from "../../apps/api/src/store/port/port.ts";
import { WorkerPool } from "../../packages/node/src/threads/worker-pool.ts";
import type { EngineHost } from "../../packages/service/src/engine-host.ts";
import type { BodyResult, BodyTask } from "../../packages/service/src/task/body-task.ts";
import type { CannedAnswers } from "./canned-answers.ts";

type Charged = Extract<SettleOutcome, { readonly kind: "charged" }>;

/** The host, whose first answers a worker gives to everybody: all crosses threads, and nothing is evaluated. */
export function answeringAtOnce(host: EngineHost): EngineHost {
  let opened: Promise<WorkerPool<CannedAnswers, BodyTask, BodyResult>> | undefined;
  const open = async (task: BodyTask): Promise<WorkerPool<CannedAnswers, BodyTask, BodyResult>> => {
    const [identify, answer] = await Promise.all(
      (["identify", "answer"] as const).map((step) => host.answer({ ...task, step })),
    );
    if (answer?.kind !== "answered") throw new Error(`the request was ${answer?.kind}`);
    const script = new URL("./canned-answers.ts", import.meta.url);
    const settings = { identify: identify!, answer };
    return new WorkerPool(script, settings, { size: 1, maxQueue: 1_000, deadlineMs: 1_000, lot: 16 });
  };
  return {
    ...host,
    answer: async (task) => {
      opened ??= open(task);
      return (await opened).run(task);
    },
  };
}

/** The store, whose charges another thread makes up: all crosses threads, and nothing is written. */
export function committingNothing(store: Store): Store {
  const writer = new Worker(new URL("./canned-writer.ts", import.meta.url), { name: "writer" });
  let charged: Promise<Charged> | undefined;
  const first = async ({ scope, retentionMs }: Settlement): Promise<Charged> => {
    const { period } = (await store.usage({ scope }))!;
    const settledAtMs = period.startsAtMs;
    const charge = { seq: 1, generation: 1, settledAtMs, expiresAtMs: settledAtMs + retentionMs };
    return { kind: "charged", charge, period };
  };
  const commits = new GroupCommit<Settlement, SettleOutcome>(async (group) => {
    charged ??= first(group[0]!);
    writer.postMessage({ group, charged: await charged });
    const [outcomes] = (await once(writer, "message")) as [readonly Charged[]];
    return outcomes.map(
      (outcome) =>
        ({ resolve }) =>
          resolve(outcome),
    );
  });
  return { ...store, settle: (settlement) => commits.add(settlement) };
}
