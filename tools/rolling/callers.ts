import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";

/** Answers and stores of the older release. */
const FIXTURES = join(import.meta.dirname, "../../fixtures/0.2.0");
const CALLERS = 8;

/** A request and the answer that every caller must get to it. */
interface ExpectedAnswer {
  readonly body: string;
  readonly answer: string;
}

/** Callers that ask whichever servers there are: each request twice at once under one key, then once more. */
export class Callers {
  readonly acknowledged = new Map<string, ExpectedAnswer>();
  readonly by = new Map<string, number>();
  answers = 0;
  replays = 0;
  readonly #servers: ReadonlyMap<string, { readonly url: string }>;
  readonly #key: string;
  readonly #bodies = createRequestBodies();
  #next = 0;

  constructor(servers: ReadonlyMap<string, { readonly url: string }>, key: string) {
    this.#servers = servers;
    this.#key = key;
  }

  async askFor(milliseconds: number): Promise<void> {
    const untilMs = performance.now() + milliseconds;
    await Promise.all(Array.from({ length: CALLERS }, (_, caller) => this.#call(caller, untilMs)));
  }

  /** Every key once more. */
  async askAgain(): Promise<void> {
    for (const [key, { body }] of this.acknowledged) await this.#ask(key, body);
  }

  /** Number of requests that the organization was charged for. */
  async used(): Promise<number> {
    const [{ url } = { url: "" }] = this.#servers.values();
    const response = await fetch(`${url}/v1/usage`, { headers: { Authorization: `Bearer ${this.#key}` } });
    return ((await response.json()) as { readonly data: { readonly used: number } }).data.used;
  }

  async #call(caller: number, untilMs: number): Promise<void> {
    while (performance.now() < untilMs) {
      const number = this.#next++;
      const body = this.#bodies[number % this.#bodies.length]!;
      const key = `rolling-${caller}-${number}`;
      // Both ask at once, and one of them wins.
      await Promise.all([this.#ask(key, body), this.#ask(key, body)]);
      await this.#ask(key, body);
    }
  }

  async #ask(key: string, body: string): Promise<void> {
    const all = [...this.#servers];
    const [name, { url }] = all[this.answers % all.length]!;
    const response = await fetch(`${url}/v1/evaluate`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${this.#key}`,
        "Content-Type": "application/json",
        "Idempotency-Key": key,
      },
      body,
    });
    const answer = await response.text();
    if (response.status === 409) {
      await sleep(20);
      return this.#ask(key, body);
    }
    if (response.status !== 200) {
      throw new Error(`found ${response.status} of ${name}, expected 200: ${answer.slice(0, 500)}`);
    }
    this.answers++;
    if (response.headers.get("idempotent-replayed") === "true") this.replays++;
    this.by.set(name, (this.by.get(name) ?? 0) + 1);
    const known = this.acknowledged.get(key);
    if (known === undefined) this.acknowledged.set(key, { body, answer });
    else if (known.answer !== answer) {
      throw new Error(`found another answer of ${name} under ${key}: ${answer.slice(0, 300)}`);
    }
  }
}

/** Evaluations of the plots and of one of the rulesets of release 0.2.0. */
function createRequestBodies(): readonly string[] {
  const of = (name: string): string => join(FIXTURES, name);
  const ruleset = JSON.parse(readFileSync(of("rulesets/forest-plots.json"), "utf8")) as object;
  const plots = gunzipSync(readFileSync(of("plots.ndjson.gz")))
    .toString("utf8")
    .trimEnd()
    .split("\n");
  return plots.slice(0, 200).map((line) => {
    const { geometry, properties } = JSON.parse(line) as {
      readonly geometry: object;
      readonly properties?: { readonly scheme?: object };
    };
    return JSON.stringify({ input: { geometry, scheme: properties?.scheme }, ruleset });
  });
}
