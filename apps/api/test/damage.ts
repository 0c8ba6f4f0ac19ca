import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createSmallWorld, createSquarePlot } from "@groundrule/testing/small-world";
import { openStore } from "../src/store/open-store.ts";
import type { Store } from "../src/store/port/port.ts";
import { StoreError } from "../src/store/port/store-error.ts";
import { HttpCaller } from "./http.ts";
import { PLAIN_READS } from "./operations.ts";
import { withSeed } from "./seed.ts";
import { startServerWithStore, startService } from "./service.ts";
import { withTemporaryFolder } from "./temporary-folder.ts";

export interface DamageReport {
  /** Files that were not opened, or in which a ledger was found broken at the start. */
  readonly refused: number;
  readonly served: number;
  /** Answers by status, of the services that were started. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly replayed: number;
}

/**
 * T-48. Runs of bytes of a state file are overwritten at random, before the service opens it or while it has
 * it open. It does not start, or answers everything without an error of its own: what was charged is
 * replayed as it was or not at all, and no decision is shown with another answer.
 *
 * @throws where anything is answered 500, or a stored answer other than it was
 */
export async function damageStateFiles(rounds: number, seed: number): Promise<DamageReport> {
  return withTemporaryFolder(async (dir) => {
    const made = await makeStateFile(join(dir, "sound.db"));
    const bytes = await readFile(join(dir, "sound.db"));
    const report = { refused: 0, served: 0, statuses: {} as Record<string, number>, replayed: 0 };
    for (let round = 0; round < rounds; round++) {
      await withSeed(seed + round, async (random) => {
        const path = join(dir, `${round}.db`);
        const isOpen = round % 2 === 1;
        await writeFile(path, isOpen ? bytes : damageBytesRandomly(bytes, random));
        let store: Store;
        try {
          store = await openStore(`sqlite:${path}`, { role: "serve" });
        } catch (error) {
          if (!(error instanceof StoreError)) throw error;
          report.refused++;
          return;
        }
        if (isOpen) await writeFile(path, damageBytesRandomly(bytes, random));
        report.served++;
        await sendAllQuestions(store, made, report);
      });
    }
    return report;
  });
}

interface Made {
  readonly key: string;
  readonly answers: readonly {
    readonly key: string;
    readonly question: object;
    readonly body: string;
    readonly decisionId: string;
  }[];
}

/** A state with some charges and a ruleset. */
async function makeStateFile(path: string): Promise<Made> {
  const store = await openStore(`sqlite:${path}`, { role: "serve", absent: "make" });
  const service = await startService(createSmallWorld(), { store });
  const caller = new HttpCaller(service);
  await caller.post("/v1/rulesets", { name: "plots", ...RULESET });
  const answers = [];
  for (let i = 0; i < 40; i++) {
    const question = makeQuestion(i);
    const key = `question-${i}`;
    const answer = await caller.post("/v1/evaluate", question, { "Idempotency-Key": key });
    answers.push({
      key,
      question,
      body: await answer.text(),
      decisionId: answer.headers.get("X-Decision-Id")!,
    });
  }
  await service.stop();
  await store.close();
  return { key: service.key, answers };
}

const RULESET = {
  sets: { near: { sources: ["demo:parks"] } },
  checks: [{ id: "near", set: "near", outcome: "NON_COMPLIANT" }],
};

function makeQuestion(i: number): object {
  return {
    input: { geometry: createSquarePlot(0.1 + i / 1_000, 0.05) },
    ruleset: RULESET,
    reference_id: `plot ${i}`,
  };
}

/** One to four runs of up to 64 bytes, each of random bytes or with one bit flipped. */
function damageBytesRandomly(sound: Buffer, random: () => number): Buffer {
  const bytes = Buffer.from(sound);
  for (let runs = 1 + Math.floor(random() * 4); runs > 0; runs--) {
    const offset = Math.floor(random() * bytes.length);
    if (random() < 0.5) {
      bytes[offset]! ^= 1 << Math.floor(random() * 8);
      continue;
    }
    const length = Math.min(1 + Math.floor(random() * 64), bytes.length - offset);
    for (let i = 0; i < length; i++) bytes[offset + i] = Math.floor(random() * 256);
  }
  return bytes;
}

async function sendAllQuestions(
  store: Store,
  { key, answers }: Made,
  report: { statuses: Record<string, number>; replayed: number },
): Promise<void> {
  const faults: unknown[] = [];
  const service = await startServerWithStore(createSmallWorld(), {
    store,
    report: (error) => faults.push(error),
  });
  try {
    const caller = new HttpCaller({ url: service.url, key });
    const heard = async (sent: Promise<Response>): Promise<{ response: Response; body: string }> => {
      const response = await sent;
      const body = await response.text();
      report.statuses[response.status] = (report.statuses[response.status] ?? 0) + 1;
      if (response.status === 500) throw new Error(`${response.url}: 500 ${String(formatFaults(faults))}`);
      return { response, body };
    };
    for (const answer of answers) {
      const { response, body } = await heard(
        caller.post("/v1/evaluate", answer.question, { "Idempotency-Key": answer.key }),
      );
      if (response.headers.get("Idempotent-Replayed") === "true") {
        report.replayed++;
        if (body !== answer.body) throw new Error(`${answer.key} was replayed as ${body}`);
      }
      const shown = await heard(caller.get(`/v1/decisions/${answer.decisionId}`));
      if (shown.response.status !== 200) continue;
      const { record } = (JSON.parse(shown.body) as { data: { record: { response: object } | null } }).data;
      if (record !== null && JSON.stringify(record.response) !== JSON.stringify(JSON.parse(answer.body))) {
        throw new Error(`decision ${answer.decisionId} is shown with another answer`);
      }
    }
    await heard(caller.post("/v1/evaluate", makeQuestion(99)));
    const { input } = makeQuestion(99) as { input: object };
    await heard(caller.post("/v1/evaluate", { input, ruleset_id: "plots" }));
    for (const path of [...PLAIN_READS.map(({ path }) => path), "/v1/rulesets/plots"]) {
      await heard(caller.get(path));
    }
    await heard(caller.post("/v1/rulesets", { name: "plots", ...RULESET }));
  } finally {
    await service.stop();
    await store.close();
  }
}

function formatFaults(faults: readonly unknown[]): string {
  return faults.map((fault) => (fault instanceof Error ? fault.stack : String(fault))).join("\n");
}
