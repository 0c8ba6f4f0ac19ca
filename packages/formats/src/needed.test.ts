import { describe, expect, it } from "vitest";
import { createLazyLoader, withNeeded } from "./needed.ts";

describe("withNeeded", () => {
  it("loads what a reader lacks, one after another and once, and calls the reader again", async () => {
    const loads: string[] = [];
    const code = (name: string) =>
      createLazyLoader(async () => {
        loads.push(name);
        return () => name;
      });
    const [first, second] = [code("first"), code("second")];
    const read = (): string => `${first()()} ${second()()}`;
    const reading = withNeeded(read);
    expect(reading).toBeInstanceOf(Promise);
    expect(await reading).toBe("first second");
    expect(withNeeded(read)).toBe("first second");
    expect(loads).toEqual(["first", "second"]);
  });

  it("passes on what a reader throws, and what loading throws", async () => {
    const broken = (): never => {
      throw new Error("broken");
    };
    expect(() => withNeeded(broken)).toThrow("broken");
    const offline = createLazyLoader<string>(() => Promise.reject(new Error("offline")));
    await expect(withNeeded(offline)).rejects.toThrow("offline");
    expect(offline).toThrow("call the reader by withNeeded");
  });
});
