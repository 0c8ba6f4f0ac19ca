import { describe, expect, it } from "vitest";
import type { Question } from "../answering/answerer.ts";
import { CallNames } from "./call-names.ts";

const ADDRESS = "http://service.test/";
const RULESET = { body: { sets: { parks: { sources: ["demo:parks"] } }, checks: [] } };
const input = (n = 0) => ({ geometry: { type: "Point", coordinates: [n, 0] } });
const question = (n = 0): Question => ({ input: input(n), ruleset: RULESET, referenceId: "half of \ud83c" });

describe("the names of calls", () => {
  it("are the same for what the service takes for the same, in whatever order its members stand", () => {
    const names = new CallNames();
    const call = names.take(ADDRESS, question(), 0);
    names.lose(call);
    const { geometry } = input();
    const turned = { coordinates: geometry.coordinates, type: geometry.type };
    const rules = { checks: [], sets: RULESET.body.sets };
    const others = [
      names.take(ADDRESS, question(1), 0),
      names.take("http://other.test/", question(), 0),
      names.take(ADDRESS, { ...question(), ruleset: { id: "parks" } }, 0),
      names.take(ADDRESS, { ...question(), referenceId: "other" }, 0),
    ];
    expect(others.map(({ name }) => name)).not.toContain(call.name);
    const same = {
      referenceId: question().referenceId!,
      ruleset: { body: rules },
      input: { geometry: turned },
    };
    expect(names.take(ADDRESS, same, 0).name).toBe(call.name);
  });

  it("are new once the outcome is known, and each is held by one question", () => {
    const names = new CallNames();
    const [one, other] = [names.take(ADDRESS, question(), 0), names.take(ADDRESS, question(), 0)];
    expect(one.name).not.toBe(other.name);
    names.lose(one);
    names.end(other, 0);
    expect(names.take(ADDRESS, question(), 0).name).toBe(one.name);
    names.end(one, 0);
    expect([one.name, other.name]).not.toContain(names.take(ADDRESS, question(), 0).name);
    expect(names.size).toBe(0);
  });

  it("follow the question to another API key, stay with the first until it knows, and end for each by itself", () => {
    const names = new CallNames();
    const lost = names.take(ADDRESS, question(), 0);
    names.lose(lost);
    const taken = names.take(ADDRESS, question(), 1);
    expect(taken.name).toBe(lost.name);
    names.end(taken, 1);
    const deliberate = names.take(ADDRESS, question(), 1);
    expect(deliberate.name).not.toBe(lost.name);
    names.end(deliberate, 1);
    const back = names.take(ADDRESS, question(), 0);
    expect(back.name).toBe(lost.name);
    names.end(back, 0);
    expect(names.size).toBe(0);
  });

  it("keep the text of a ruleset once, not with each of ten thousand plots, and nothing of what was answered", () => {
    const names = new CallNames();
    const ruleset = { body: { ...RULESET.body, description: "x".repeat(100_000) } };
    for (let n = 0; n < 10_000; n++) {
      const call = names.take(ADDRESS, { ...question(n), ruleset }, 0);
      expect(call.questionText.length).toBeLessThan(200);
      if (n < 5_000) names.lose(call);
      else names.end(call, 0);
    }
    expect(names.size).toBe(5_000);
    for (let n = 0; n < 5_000; n++) names.end(names.take(ADDRESS, { ...question(n), ruleset }, 0), 0);
    expect(names.size).toBe(0);
  });
});
