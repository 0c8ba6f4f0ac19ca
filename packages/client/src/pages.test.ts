import { expect, it } from "vitest";
import { createClient } from "./index.ts";

it("gives every decision once, by pages as far as those reach and then from the last decision", async () => {
  const ids = Array.from({ length: 10_450 }, (_, i) => `dec_${10_450 - i}`);
  const requests: string[] = [];
  const fetch = async (url: string | URL | Request): Promise<Response> => {
    const { searchParams } = new URL(String(url));
    requests.push(searchParams.toString());
    const size = Number(searchParams.get("page_size"));
    const page = Number(searchParams.get("page") ?? 1);
    if (page * size > 10_000) throw new Error(`page ${page} is too deep`);
    const before = searchParams.get("before");
    const listed = ids.slice(before === null ? 0 : ids.indexOf(before) + 1);
    const items = listed.slice((page - 1) * size, page * size).map((decision_id) => ({ decision_id }));
    const pagination = {
      page,
      page_size: size,
      total_count: listed.length,
      total_pages: Math.ceil(listed.length / size),
    };
    return Response.json({ data: { items, pagination } });
  };
  const client = createClient({ baseUrl: "http://localhost", apiKey: "key", fetch });
  const yielded: string[] = [];
  for await (const { decision_id } of client.decisions.each({ verdict: "WARNING", page_size: 200 })) {
    yielded.push(decision_id);
  }
  expect(yielded).toEqual(ids);
  expect(requests.slice(-3)).toEqual([
    "verdict=WARNING&page_size=200&before=dec_451",
    "verdict=WARNING&page_size=200&before=dec_251",
    "verdict=WARNING&page_size=200&before=dec_51",
  ]);
});
