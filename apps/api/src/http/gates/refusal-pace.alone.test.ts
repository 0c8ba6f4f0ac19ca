import { describe, expect, it, vi } from "vitest";
import { RefusalPace } from "./refusal-pace.ts";

describe("the pace of refusals", () => {
  it("answers a hundred refusals a second at once, and the others two seconds later, by caller", async () => {
    vi.useFakeTimers();
    try {
      let nowMs = 0;
      const pace = new RefusalPace(() => nowMs);
      const refused: string[] = [];
      const refuse = (who: string): void => void pace.hold(who).then(() => refused.push(who));
      for (let i = 0; i < 130; i++) refuse("greedy");
      refuse("polite");
      await vi.advanceTimersByTimeAsync(0);
      expect(refused.filter((who) => who === "greedy")).toHaveLength(100);
      expect(refused.at(-1)).toBe("polite");
      await vi.advanceTimersByTimeAsync(1_999);
      expect(refused).toHaveLength(101);
      await vi.advanceTimersByTimeAsync(1);
      expect(refused).toHaveLength(131);
      nowMs = 1_000;
      refuse("greedy");
      await vi.advanceTimersByTimeAsync(0);
      expect(refused).toHaveLength(132);
    } finally {
      vi.useRealTimers();
    }
  });
});
