import { NDJSON_TYPE } from "@groundrule/contract";
import { REQUEST_EXAMPLES } from "../src/http/openapi/examples.ts";
import type { DemoService } from "./demo-service.ts";

interface AnsweredExample {
  /** Of the operation. */
  readonly id: string;
  readonly path: string;
  readonly method: "get" | "post";
  readonly status: number;
  readonly body: unknown;
}

const PATHS: Readonly<Record<string, string>> = {
  createRuleset: "/v1/rulesets",
  evaluate: "/v1/evaluate",
  intersections: "/v1/intersections",
  distance: "/v1/distance",
  subjects: "/v1/subjects",
  validate: "/v1/validate",
  createJob: "/v1/jobs",
};

/** Asks every example of the description, then for what came of it. Rejects where one is refused. */
export async function askExamples({ ask }: DemoService): Promise<AnsweredExample[]> {
  const answers: AnsweredExample[] = [];
  const note = async (id: string, path: string, asked: string, body?: unknown): Promise<unknown> => {
    const response = await ask(asked, body, id === "createJob" ? { "Idempotency-Key": "plots-of-2026" } : {});
    if (!response.ok) throw new Error(`${id}: ${response.status} ${await response.text()}`);
    const isText = response.headers.get("Content-Type") === NDJSON_TYPE;
    const answer: unknown = isText ? await response.text() : await response.json();
    const method = body === undefined ? "get" : "post";
    answers.push({ id, path, method, status: response.status, body: answer });
    return answer;
  };
  for (const [id, examples] of Object.entries(REQUEST_EXAMPLES)) {
    for (const { value } of Object.values(examples)) await note(id, PATHS[id]!, PATHS[id]!, value);
  }
  const sent = answers.find(({ id }) => id === "createJob")!.body as {
    readonly data: { readonly id: string };
  };
  await untilEnded(`/v1/jobs/${sent.data.id}`, ask);
  await note("job", "/v1/jobs/{id}", `/v1/jobs/${sent.data.id}`);
  await note("jobResults", "/v1/jobs/{id}/results", `/v1/jobs/${sent.data.id}/results?limit=1`);
  await note("jobs", "/v1/jobs", "/v1/jobs");
  await note("cancelJob", "/v1/jobs/{id}/cancel", `/v1/jobs/${sent.data.id}/cancel`, {});
  await note("sources", "/v1/sources", "/v1/sources");
  await note("listRulesets", "/v1/rulesets", "/v1/rulesets");
  await note("latestRuleset", "/v1/rulesets/{name}", "/v1/rulesets/forest-plots");
  await note("ruleset", "/v1/rulesets/{name}/{version}", "/v1/rulesets/forest-plots/1");
  await note("me", "/v1/me", "/v1/me");
  await note("usage", "/v1/usage", "/v1/usage");
  await note("decisions", "/v1/decisions", "/v1/decisions?page_size=1");
  const { data } = (await (await ask("/v1/decisions?reference_id=plot-1")).json()) as {
    readonly data: { readonly items: readonly { readonly decision_id: string }[] };
  };
  await note("decision", "/v1/decisions/{id}", `/v1/decisions/${data.items.at(-1)!.decision_id}`);
  return answers;
}

async function untilEnded(path: string, ask: DemoService["ask"]): Promise<void> {
  for (;;) {
    const { data } = (await (await ask(path)).json()) as { readonly data: { readonly status: string } };
    if (data.status === "done") return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
