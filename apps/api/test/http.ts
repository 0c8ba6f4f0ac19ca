import { type Problem, problemSchema, usageResponseShape } from "@groundrule/contract";
import { readShape } from "@groundrule/engine/internal";
import { expect } from "vitest";

/** The ruleset of the small world: a plot in a park does not comply. */
export const NO_PARKS = {
  sets: { parks: { sources: ["demo:parks"] } },
  checks: [{ id: "park", set: "parks", outcome: "NON_COMPLIANT" }],
};

/** Asks a service as its callers do, over HTTP. */
export class HttpCaller {
  readonly url: string;
  readonly key: string;

  constructor({ url, key }: { readonly url: string; readonly key: string }) {
    this.url = url;
    this.key = key;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.url + path, { headers: { Authorization: `Bearer ${this.key}`, ...headers } });
  }

  /** Units that the organization was charged in this period. */
  async used(): Promise<number> {
    return readShape(usageResponseShape, await (await this.get("/v1/usage")).json()).data.used;
  }

  /** @param body sent as it is where it is a text or bytes, else as JSON */
  post(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
    signal: AbortSignal | null = null,
  ): Promise<Response> {
    return fetch(this.url + path, {
      method: "POST",
      signal,
      body: typeof body === "string" || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
      headers: { Authorization: `Bearer ${this.key}`, "Content-Type": "application/json", ...headers },
    });
  }

  with(key: string): HttpCaller {
    return new HttpCaller({ url: this.url, key });
  }
}

/** The body of an answer that has to be a problem. */
export async function expectProblem(sent: Response | Promise<Response>): Promise<Problem> {
  const response = await sent;
  expect(response.headers.get("Content-Type")).toBe("application/problem+json");
  const problem = problemSchema.parse(await response.json());
  expect(problem.status).toBe(response.status);
  return problem;
}
