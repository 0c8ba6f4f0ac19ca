import { expect, it } from "vitest";
import { CleanScan, IN_DOUBT } from "./clean-json.ts";

const endOf = (text: string, start = 0): number =>
  new CleanScan(8, 100).endOfValue(new TextEncoder().encode(text), start);

it("doubts nothing in the bodies that are sent all the time, so that they are parsed at once", () => {
  for (const text of [
    '{"input":{"geometry":{"type":"Polygon","coordinates":[[[-59.595415055896055,-10.5],[0,1]]]}}}',
    '{"sets":{"a":{"sources":["x","y"]},"b":{"sources":["x"],"within_m":10000}},"none":null,"all":true}',
    '{ "título": "São Paulo", "quoted": "\\"\\n" }',
    "[[],{},false]",
    '"text"',
    "-1.50",
  ]) {
    expect(endOf(text), text).toBe(new TextEncoder().encode(text).length);
  }
});

it("finds where a value ends in the midst of others", () => {
  expect(endOf('{"a":[1,"}"]} ,"b"')).toBe(13);
  expect(endOf('[1,{"a":2}]', 3)).toBe(10);
  expect(endOf("12,13")).toBe(2);
});

it.each([
  ["a name twice", '{"a":1,"b":2,"a":3}'],
  ["an escape in a name", '{"\\n":1}'],
  ["a character by its number", '"\\u0041"'],
  ["a number with an exponent", "[1e3]"],
  ["a number of sixteen digits", "1234567890123456"],
  ["one level too many", `${"[".repeat(9)}${"]".repeat(9)}`],
  ["one member too many", `[${'{"a":0},'.repeat(101)}0]`],
  ["more names than it compares", `{${Array.from({ length: 60 }, (_, i) => `"${i}":0`).join()}}`],
  ["a byte order mark", "\ufeff1"],
  ["a value without its end", '{"a":[1'],
  ["nothing", ""],
])("doubts %s", (_, text) => {
  expect(endOf(text)).toBe(IN_DOUBT);
});
