import { canonicalJson } from "@groundrule/engine/records";
import { createSeededRandom } from "@groundrule/testing/random";
import { expect, it } from "vitest";
import { Refusal } from "../task/refusal.ts";
import { BodyReader } from "./body-reader.ts";
import { parseJsonBody } from "./parse-body.ts";
import { formatCanonicalBody } from "./recognise.ts";

const SEED = 20_261_122;
const LIMITS = { jsonDepth: 8 };

const RULESETS = [
  '{"sets":{"parks":{"sources":["demo:parks"]}},"checks":[{"id":"a","set":"parks","outcome":"WARNING"}]}',
  '{"checks": [ ], "sets": {}}',
  "{}",
  "[]",
  "[{}]",
  '{"título":"é"}',
  '{"a":{"a":{"a":{"a":{"a":{"a":{}}}}}}}',
  '{"a":{"a":{"a":{"a":{"a":{"a":{"a":{}}}}}}}}',
  '{"sets":1,"sets":2}',
  '{"sets":"\\u0000"}',
  '{"sets":"\\ud800"}',
  '{"sets":1e999}',
  '{"sets":}',
  "null",
  "7",
];
const VALUES = [
  '{"geometry":{"type":"Polygon","coordinates":[[[0,0],[1e0,-0],[1.50,1],[0,0]]]}}',
  '"text"',
  "-0.0",
  "12345678901234567890",
  "true",
  " [ 1 , 2 ] ",
  '"é"',
  '{"x":1}}',
  "tru",
];
const NAMES = ["ruleset", "input", "reference_id", "Input", "\\u0069nput", "__proto__", "constructor", "é"];

it("reads any body as it is read whole, whatever came before it, and refuses it in the same words", () => {
  const random = createSeededRandom(SEED);
  const reader = new BodyReader();
  const one = <Item>(items: readonly Item[]): Item => items[random.integer(items.length)]!;
  const gap = (): string => one(["", "", "", " ", "\n\t"]);
  let accepted = 0;
  for (let turn = 0; turn < 6_000; turn++) {
    const members = Array.from({ length: random.integer(4) }, () => {
      const name = one(NAMES);
      return `${gap()}"${name}"${gap()}:${gap()}${one(name === "ruleset" ? RULESETS : VALUES)}`;
    });
    const body = `${gap()}{${members.join(one([",", ",", ",", ", ", ";"]))}${gap()}}${one(["", "", "", " ", "x"])}`;
    const bytes = Buffer.from(body, "utf8");
    const whole = captureOutcome(() => parseJsonBody(bytes, LIMITS));
    const sent = random.integer(2) === 0 ? bytes.toString("latin1") : new Uint8Array(bytes);
    const read = captureOutcome(() => reader.read(sent, LIMITS));
    expect(read.refused, body).toEqual(whole.refused);
    if (read.value === undefined) continue;
    accepted++;
    expect(read.value.value, body).toEqual(whole.value);
    expect(formatCanonicalBody(read.value)).toBe(canonicalJson(whole.value));
    expect(formatCanonicalBody(read.value)).toBe(canonicalJson(whole.value));
  }
  expect(accepted).toBeGreaterThan(500);
});

it("reads a ruleset that came before once, and holds its members and levels against the limits all the same", () => {
  const reader = new BodyReader();
  const bodyOf = (id: number) => `{"ruleset":${RULESETS[6]},"input":${id}}`;
  const rulesets = [1, 2].map((id) => (reader.read(bodyOf(id), LIMITS).value as { ruleset: object }).ruleset);
  expect(rulesets[0]).toBe(rulesets[1]);
  expect(Object.isFrozen(rulesets[0])).toBe(true);
  expect(() => reader.read(bodyOf(3), { jsonDepth: 7 })).toThrow(Refusal);
  const many = `{${Array.from({ length: 50_000 }, (_, i) => `"${i}":0`).join()}}`;
  const filled = (count: number) => `[${Array.from({ length: count }, () => '{"a":0}').join()}]`;
  const sent = (count: number) => `{"ruleset":{"a":[${many}]},"input":${filled(count)}}`;
  expect(() => reader.read(sent(49_997), LIMITS)).not.toThrow();
  expect(() => reader.read(sent(49_998), LIMITS)).toThrow(/100000 members/);
});

function captureOutcome<Value>(action: () => Value): { value?: Value; refused?: object } {
  try {
    return { value: action() };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message, errors, details } = error;
    return { refused: { code, message, errors, details } };
  }
}
