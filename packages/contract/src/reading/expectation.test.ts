import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import {
  createRulesetRequestSchema,
  decisionsQuerySchema,
  distanceRequestSchema,
  evaluateQuerySchema,
  evaluateRequestSchema,
  intersectionsQuerySchema,
  intersectionsRequestSchema,
  parseRequest,
  rulesetsQuerySchema,
  sourcesQuerySchema,
  subjectsRequestSchema,
  validateRequestSchema,
} from "../index.ts";

const OURS = /^(?:found .+, expected .+|unknown member .+)$/s;
const FOREIGN =
  /Invalid|received|Too (?:big|small)|Unrecognized|must match|expected (?:string|number|array)\b/;

function listMessages(schema: z.ZodType, value: unknown): string[] {
  const parsed = parseRequest(schema as z.ZodType<unknown, unknown>, value);
  if ("value" in parsed) throw new Error("was accepted");
  return parsed.faults.map(({ message }) => message);
}

/** A refusal of every kind in the library; a new kind does not compile until it is listed here. */
const KINDS: Readonly<Record<z.core.$ZodIssue["code"], readonly [z.ZodType, unknown, string]>> = {
  invalid_type: [z.string(), 5, "found 5, expected a string"],
  invalid_value: [
    z.enum(["near", "far"]),
    "nea",
    'found "nea", expected one of near, far; did you mean "near"?',
  ],
  too_small: [z.array(z.string()).min(1), [], "found an empty array, expected at least 1 entry"],
  too_big: [z.number().max(5), 6, "found 6, expected at most 5"],
  not_multiple_of: [z.number().multipleOf(2), 3, "found 3, expected a multiple of 2"],
  invalid_format: [z.string().regex(/^a/), "b", 'found "b", expected a string that matches /^a/'],
  unrecognized_keys: [
    z.strictObject({ near: z.string().optional() }),
    { nea: 1 },
    'unknown member "nea"; did you mean "near"?',
  ],
  invalid_key: [
    z.record(z.enum(["a"]).or(z.string().max(1)), z.string()),
    { bb: "x" },
    'found "x", expected valid member names',
  ],
  invalid_element: [
    z.map(z.unknown(), z.string()),
    new Map([[{}, 2]]),
    "found an object, expected valid entries",
  ],
  invalid_union: [z.union([z.string(), z.array(z.string())]), 5, "found 5, expected a string or an array"],
  custom: [z.unknown().refine(() => false), null, "found null, expected a valid value"],
};

describe("the text of a refusal", () => {
  it.each(Object.entries(KINDS))("of the kind %s is in our words", (code, [schema, value, message]) => {
    const issues = schema.safeParse(value).error?.issues ?? [];
    const codes = JSON.stringify(issues);
    expect(codes).toContain(`"code":"${code}"`);
    expect(listMessages(schema, value)).toEqual([message]);
  });

  it("is in our words for every type and format of the library", () => {
    const schemas: z.ZodType[] = [
      z.number(),
      z.int(),
      z.boolean(),
      z.null(),
      z.undefined(),
      z.bigint(),
      z.date(),
      z.symbol(),
      z.nan(),
      z.never(),
      z.array(z.string()),
      z.tuple([z.string()]),
      z.object({}),
      z.record(z.string(), z.string()),
      z.map(z.string(), z.string()),
      z.set(z.string()),
      z.literal("a"),
      z.discriminatedUnion("type", [z.object({ type: z.literal("a") })]),
      z.email(),
      z.url(),
      z.uuid(),
      z.base64(),
      z.ipv4(),
      z.iso.date(),
      z.iso.datetime(),
      z.iso.time(),
      z.jwt(),
      z.string().startsWith("a"),
      z.string().endsWith("a"),
      z.string().includes("a"),
      z.string().length(3),
      z.string().lowercase(),
      z.templateLiteral(["a", z.number()]),
      z.string().min(40),
      z.stringbool(),
    ];
    for (const schema of schemas) {
      for (const value of ["Text.", {}, [], 0.5, undefined].filter(
        (each) => !schema.safeParse(each).success,
      )) {
        for (const message of listMessages(schema, value)) {
          expect(message).toMatch(OURS);
          expect(message).not.toMatch(FOREIGN);
        }
      }
    }
  });

  it("is in our words for whatever is sent to any route", () => {
    const schemas = [
      createRulesetRequestSchema,
      decisionsQuerySchema,
      distanceRequestSchema(),
      evaluateQuerySchema,
      evaluateRequestSchema,
      intersectionsQuerySchema,
      intersectionsRequestSchema,
      rulesetsQuerySchema,
      sourcesQuerySchema,
      subjectsRequestSchema,
      validateRequestSchema,
    ] as readonly z.ZodType<unknown, unknown>[];
    const questions = "input geometry crs scheme type value role ruleset ruleset_id reference_id match_op";
    const others =
      "min_distance_m max_distance_m name version sets checks limit from evidence_limit lint kind";
    const places = "country_iso3 reference_areas_source before others";
    const names = `${questions} ${others} ${places}`.split(" ");
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>(null, true, -1, 1.5, 1e9, "", "x", "BRA", "x".repeat(200)),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...names), tie("value"), { maxKeys: 6 }),
      ),
    }));
    let refused = 0;
    fc.assert(
      fc.property(value, fc.nat(schemas.length - 1), (sent, which) => {
        const parsed = parseRequest(schemas[which]!, sent);
        if ("value" in parsed) return;
        refused++;
        for (const { message, pointer, code } of parsed.faults) {
          expect(message).toMatch(OURS);
          expect(message).not.toMatch(FOREIGN);
          expect(pointer).toMatch(/^(?:\/|$)/);
          expect(code).toMatch(/^[A-Z_]+$/);
        }
      }),
      { seed: 5, numRuns: 2000 },
    );
    expect(refused).toBeGreaterThan(1500);
  });
});
