import { type Client, type ClientOptions, createClient, type ErrorCode, type Fetch } from "../src/index.ts";

export const KEY = "gr_test_secret-of-the-test";

/** A request that the client sent. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly key: string | null;
  readonly body: string | undefined;
}

/** A client with scripted answers: each request gets the next one, and the last one repeats. */
export interface Scripted {
  readonly client: Client;
  readonly sent: readonly Sent[];
  /** The waits between attempts, milliseconds. */
  readonly waits: readonly number[];
}

export type Step = () => Response | Promise<Response>;

export function createScriptedClient(steps: readonly Step[], options: Partial<ClientOptions> = {}): Scripted {
  const sent: Sent[] = [];
  const waits: number[] = [];
  const fetch: Fetch = async (url, { method = "GET", headers, body }) => {
    const { pathname, search } = new URL(url);
    const key = new Headers(headers).get("Idempotency-Key");
    sent.push({ method, path: pathname + search, key, body: body === undefined ? undefined : String(body) });
    return await steps[Math.min(sent.length, steps.length) - 1]!();
  };
  const client = createClient({
    baseUrl: "https://service.example",
    apiKey: KEY,
    fetch,
    sleep: async (ms) => {
      waits.push(ms);
    },
    random: () => 0.5,
    ...options,
  });
  return { client, sent, waits };
}

/** A verdict in the service's form, with only the members that the client reads. */
export function createVerdictStep(word = "COMPLIANT", headers: Record<string, string> = {}): Step {
  const isDegraded = word === "DEGRADED";
  const data = { verdict: word, status: isDegraded ? "degraded" : "ok", sources: [] };
  const meta = { request_id: "req_1", charged: !isDegraded, warnings: [] };
  return createJsonStep({ data, meta, errors: [] }, headers);
}

export function createJsonStep(body: unknown, headers: Record<string, string> = {}): Step {
  return () => Response.json(body, { headers });
}

export function createProblemStep(
  code: ErrorCode,
  status: number,
  more: { readonly headers?: Record<string, string>; readonly members?: object } = {},
): Step {
  const body = {
    type: "",
    title: "",
    status,
    code,
    detail: "It was refused.",
    instance: "req_1",
    errors: [],
  };
  return () =>
    new Response(JSON.stringify({ ...body, ...more.members }), {
      status,
      headers: { ...more.headers, "Content-Type": "application/problem+json" },
    });
}

export function createPageStep(status: number, headers: Record<string, string> = {}): Step {
  return () =>
    new Response("<h1>No</h1>", {
      status,
      headers: { ...headers, "Content-Type": "text/html; charset=utf-8" },
    });
}

export function createBrokenStep(): Step {
  return () => Promise.reject(new TypeError("fetch failed"));
}
