import { describe, expect, it } from "vitest";
import { CallNames } from "./call-names.ts";

const asked = (n = 0) => ({ input: { geometry: { type: "Point", coordinates: [n, 0] } }, rules: "parks" });

describe("the names of calls", () => {
  it("are the same for what the service takes for the same, in whatever order its members stand", () => {
    const names = new CallNames();
    const { input, rules } = asked();
    const call = names.take({ input, rules }, "a");
    names.lose(call);
    expect(names.take(asked(1), "a").name).not.toBe(call.name);
    expect(names.take({ rules, input, note: undefined }, "a").name).toBe(call.name);
  });

  it("are new once the outcome is known, and each is held by one question", () => {
    const names = new CallNames();
    const [one, other] = [names.take(asked(), "a"), names.take(asked(), "a")];
    expect(one.name).not.toBe(other.name);
    names.lose(one);
    names.end(other, "a");
    expect(names.take(asked(), "a").name).toBe(one.name);
    names.end(one, "a");
    expect([one.name, other.name]).not.toContain(names.take(asked(), "a").name);
    expect(names.size).toBe(0);
  });

  it("follow the question to another API key, stay with the first until it knows, and end for each by itself", () => {
    const names = new CallNames();
    const lost = names.take(asked(), "first");
    names.lose(lost);
    const taken = names.take(asked(), "second");
    expect(taken.name).toBe(lost.name);
    names.end(taken, "second");
    const deliberate = names.take(asked(), "second");
    expect(deliberate.name).not.toBe(lost.name);
    names.end(deliberate, "second");
    const back = names.take(asked(), "first");
    expect(back.name).toBe(lost.name);
    names.end(back, "first");
    expect(names.size).toBe(0);
  });

  it("are forgotten with their outcome, however many there are", () => {
    const names = new CallNames();
    for (let n = 0; n < 10_000; n++) names.lose(names.take(asked(n), "a"));
    expect(names.size).toBe(10_000);
    for (let n = 0; n < 10_000; n++) names.end(names.take(asked(n), "a"), "a");
    expect(names.size).toBe(0);
  });

  it("are given to what has no canonical JSON too", () => {
    const names = new CallNames();
    const call = names.take({ id: "half of \ud83c" }, "a");
    names.lose(call);
    expect(names.take({ id: "half of \ud83c" }, "a").name).toBe(call.name);
  });
});
