import { describe, expect, it } from "vitest";
import { Metrics } from "./metrics.ts";

const own = (text: string): string[] => text.split("\n").filter((line) => /^own_/.test(line));

describe("metrics that are read on request", () => {
  it("go without what cannot be read, instead of telling a 0 or failing", async () => {
    const metrics = new Metrics();
    const reads = [[{ value: 7 }]];
    const read = async () => reads.pop() ?? Promise.reject(new Error("the disk is full"));
    metrics.gauge("own_gauge", "One that breaks", read);
    metrics.gauge("own_other", "One that does not", () => [{ value: 1 }]);
    expect(own(await metrics.text())).toEqual(["own_gauge 7", "own_other 1"]);
    expect(own(await metrics.text())).toEqual(["own_other 1"]);
  });

  it("are the same for scrapes that come at once, and forget a label that is gone", async () => {
    const metrics = new Metrics();
    let sources = ["a", "b"];
    const read = async () => sources.map((source) => ({ labels: { source }, value: 3 }));
    metrics.counter("own_count_total", "One that others keep", read, "source");
    const scraped = await Promise.all([metrics.text(), metrics.text(), metrics.text()]);
    for (const text of scraped) {
      expect(own(text)).toEqual(['own_count_total{source="a"} 3', 'own_count_total{source="b"} 3']);
    }
    sources = ["b"];
    expect(own(await metrics.text())).toEqual(['own_count_total{source="b"} 3']);
  });
});
