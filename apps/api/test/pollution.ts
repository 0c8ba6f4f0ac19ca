import assert from "node:assert/strict";
import { createSmallWorld } from "@groundrule/testing/small-world";
import { exchangeRequest } from "./exchange.ts";
import { BODIES } from "./isolation/attempts.ts";
import { startService } from "./service.ts";

const PATHS: Readonly<Record<string, string>> = {
  evaluate: "/v1/evaluate",
  intersections: "/v1/intersections",
  distance: "/v1/distance",
  subjects: "/v1/subjects",
  validate: "/v1/validate",
  createRuleset: "/v1/rulesets",
  createJob: "/v1/jobs",
};

/** Members that reach a prototype where somebody copies or merges without care. */
const MEMBERS = [
  '"__proto__":{"polluted":1}',
  '"__pr\\u006fto__":{"polluted":1,"toString":1}',
  '"__proto__":null',
  '"__proto__":[1]',
  '"constructor":{"prototype":{"polluted":1}}',
  '"constructor":null',
  '"prototype":{"polluted":1}',
  '"toString":1,"valueOf":1,"hasOwnProperty":1,"toJSON":1,"then":1',
];
const NAMES = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "then"];
const DEPTH = 60;

/**
 * T-42. Members that name prototypes, at each depth of every body that is taken, and in the place of each
 * name and text: each is answered or refused, and no prototype has changed, in the thread that read it or
 * in the engine that answered.
 */
export async function polluteBodies(): Promise<object> {
  const service = await startService(createSmallWorld());
  const before = listPrototypeKeys();
  const statuses = new Map<number, number>();
  let sent = 0;
  const ask = async (path: string, body: string): Promise<void> => {
    const headers = {
      Authorization: `Bearer ${service.key}`,
      "Content-Type": "application/json",
      // A job is refused without one.
      ...(path === PATHS.createJob && { "Idempotency-Key": `pollution-${sent++}` }),
    };
    const { status, text } = await exchangeRequest(service.url + path, "POST", headers, body);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    assert.ok(status < 500, `${status} for ${body}`);
    assert.deepEqual(listPrototypeKeys(), before, body);
    assert.equal(({} as { polluted?: unknown }).polluted, undefined, body);
    // An answer repeats members of the request or none, never those of a prototype.
    if (!body.includes("polluted")) assert.ok(!text.includes("polluted"), body);
  };
  try {
    for (const [operation, bodies] of Object.entries(BODIES)) {
      const path = PATHS[operation];
      assert.ok(path, `${operation} has no path here`);
      for (const body of bodies) {
        await ask(path, JSON.stringify(body));
        for (const text of makePollutedTexts(body)) await ask(path, text);
      }
    }
    for (let depth = 1; depth <= DEPTH; depth++) {
      for (const member of MEMBERS) await ask("/v1/intersections", formatNestedMember(member, depth));
    }
    const clean = JSON.stringify(BODIES.intersections![0]);
    await ask("/v1/intersections", clean);
  } finally {
    await service.stop();
  }
  return { requests: [...statuses.values()].reduce((a, b) => a + b), statuses: Object.fromEntries(statuses) };
}

/** A body as text with a member added to each object in it, a name replaced, or a text. */
function* makePollutedTexts(body: object): Iterable<string> {
  const whole = JSON.stringify(body);
  // Each brace that opens: texts in these bodies hold none.
  for (const { index } of whole.matchAll(/\{/g)) {
    const [before, after] = [whole.slice(0, index + 1), whole.slice(index + 1)];
    for (const member of MEMBERS) {
      yield `${before}${member}${after.startsWith("}") ? "" : ","}${after}`;
    }
  }
  for (const { index, 0: quoted } of whole.matchAll(/"[^"]*"/g)) {
    for (const name of NAMES) yield `${whole.slice(0, index)}"${name}"${whole.slice(index + quoted.length)}`;
  }
}

/** In a member of GeoJSON that nobody reads, objects and arrays by turns. */
function formatNestedMember(member: string, depth: number): string {
  const open = Array.from({ length: depth }, (_, i) => (i % 2 === 0 ? '{"a":' : "[")).join("");
  const close = Array.from({ length: depth }, (_, i) => ((depth - 1 - i) % 2 === 0 ? "}" : "]")).join("");
  const { input } = BODIES.intersections![0] as { input: { geometry: object } };
  const geometry = JSON.stringify(input.geometry).slice(0, -1);
  return `{"input":{"geometry":${geometry},"unread":${open}{${member}}${close}}}}`;
}

/** Everything that prototypes hold. */
function listPrototypeKeys(): unknown {
  return [Object, Array, Function, String, Number, Map, Promise].map(({ prototype }) =>
    Reflect.ownKeys(prototype).map(String),
  );
}
