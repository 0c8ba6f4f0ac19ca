import { describe, expect, it, vi } from "vitest";
import { RefusalPace } from "./refusal-pace.ts";

describe("the pace of refusals", () => {
  it("tells a hundred a second at once, and the others two seconds later, by who is refused", async () => {
    vi.useFakeTimers();
    try {
      let nowMs = 0;
      const pace = new RefusalPace(() => nowMs);
      const told: string[] = [];
      const refuse = (who: string): void => void pace.hold(who).then(() => told.push(who));
      for (let i = 0; i < 130; i++) refuse("greedy");
      refuse("polite");
      await vi.advanceTimersByTimeAsync(0);
      expect(told.filter((who) => who === "greedy")).toHaveLength(100);
      expect(told.at(-1)).toBe("polite");
      await vi.advanceTimersByTimeAsync(1_999);
      expect(told).toHaveLength(101);
      await vi.advanceTimersByTimeAsync(1);
      expect(told).toHaveLength(131);
      nowMs = 1_000;
      refuse("greedy");
      await vi.advanceTimersByTimeAsync(0);
      expect(told).toHaveLength(132);
    } finally {
      vi.useRealTimers();
    }
  });
});
