import { describe, expect, it } from "vitest";
import { findBlamed } from "./blame.ts";

describe("findBlamed", () => {
  it.each([
    ["GEOMETRY_INVALID", 422, "plot"],
    ["INPUT_INCOMPLETE", 422, "plot"],
    ["FACT_INVALID", undefined, "plot"],
    ["SOURCE_UNKNOWN", 422, "ruleset"],
    ["API_KEY_EXPIRED", 401, "key"],
    ["QUOTA_EXCEEDED", 429, "quota"],
    ["SUBSCRIPTION_INACTIVE", 402, "quota"],
    ["IDEMPOTENCY_REPLAY_EXPIRED", 410, "service"],
    ["NETWORK_FAILED", undefined, "service"],
    ["NETWORK_FAILED", 404, "service"],
    // Codes of a newer service.
    ["A_NEW_LIMIT", 429, "service"],
    ["A_NEW_FAULT", 500, "service"],
    ["A_NEW_KIND_OF_KEY", 401, "key"],
    ["A_NEW_RULE_OF_SHAPES", 422, "plot"],
    ["NOT_FOUND", 404, "service"],
    ["constructor", 422, "plot"],
  ])("finds at what %s with the status %s lies: the %s", (code, status, blamed) => {
    expect(findBlamed({ code, status })).toBe(blamed);
  });
});
