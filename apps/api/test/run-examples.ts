import { NDJSON_TYPE } from "@groundrule/contract";
import { OPERATIONS } from "../src/http/operations/operations.ts";
import type { Operation } from "../src/http/operations/record/operation.ts";
import { createRuleset } from "../src/http/operations/rulesets.ts";
import type { DemoService } from "./demo-service.ts";
import { buildSamplePath } from "./operations.ts";

interface AnsweredExample {
  readonly operation: Operation;
  readonly status: number;
  readonly body: unknown;
}

/** Sends every example of the description, and reads what came of them. Rejects where one is refused. */
export async function runAllExamples({ ask }: DemoService): Promise<AnsweredExample[]> {
  const answers: AnsweredExample[] = [];
  const ids = { job_none: "", dec_none: "" };
  const note = async (operation: Operation, value?: object): Promise<void> => {
    const path = buildSamplePath(operation).replace(/job_none|dec_none/, (id) => ids[id as keyof typeof ids]);
    const { id, method, headers = [], exampleQuery } = operation;
    const needsKey = headers.some(({ required }) => required);
    const response = await ask(
      exampleQuery === undefined ? path : `${path}?${exampleQuery}`,
      value ?? (method === "POST" ? {} : undefined),
      needsKey ? { "Idempotency-Key": "plots-of-2026" } : {},
    );
    if (!response.ok) throw new Error(`${id}: ${response.status} ${await response.text()}`);
    const isText = response.headers.get("Content-Type") === NDJSON_TYPE;
    const body: unknown = isText ? await response.text() : await response.json();
    answers.push({ operation, status: response.status, body });
    if (id !== "createJob") return;
    ids.job_none = (body as { readonly data: { readonly id: string } }).data.id;
    await waitUntilEnded(`${path}/${ids.job_none}`, ask);
  };
  // The other examples name the ruleset that this one publishes.
  for (const operation of [createRuleset, ...OPERATIONS.filter((each) => each !== createRuleset)]) {
    if (operation.key === "none" || !Object.keys(operation.answer.content)[0]!.endsWith("json")) continue;
    if (operation.id === "decision") ids.dec_none = await findFirstDecision(ask);
    const examples = Object.values(operation.request?.examples ?? {});
    for (const { value } of examples) await note(operation, value);
    if (examples.length === 0) await note(operation);
  }
  return answers;
}

/** A decision that was charged for one of the examples. */
async function findFirstDecision(ask: DemoService["ask"]): Promise<string> {
  const { data } = (await (await ask("/v1/decisions?reference_id=plot-1")).json()) as {
    readonly data: { readonly items: readonly { readonly decision_id: string }[] };
  };
  return data.items.at(-1)!.decision_id;
}

async function waitUntilEnded(path: string, ask: DemoService["ask"]): Promise<void> {
  for (;;) {
    const { data } = (await (await ask(path)).json()) as { readonly data: { readonly status: string } };
    if (data.status === "done") return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
