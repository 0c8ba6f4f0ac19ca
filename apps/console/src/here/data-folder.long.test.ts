import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { presetVersions } from "@groundrule/data/rulesets";
import { openData } from "@groundrule/node";
import { layOutDemo } from "@groundrule/testing/demo-folder";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Answerer } from "../../../../packages/service/src/answerer.ts";
import { NODE_HOST } from "../../../../packages/service/src/node-host.ts";
import { catchLocalProblem, HOST } from "../../test/local-host.ts";
import { openDataFolderFiles } from "./files/open-files.ts";
import { LocalAnswers } from "./local-answers.ts";
import { toPublishedRulesets } from "./presets.ts";

const dir = mkdtempSync(join(tmpdir(), "groundrule-here-"));
const NOW = "2026-11-22T12:00:00.000Z";
let demo: Awaited<ReturnType<typeof layOutDemo>>;

beforeAll(async () => {
  demo = await layOutDemo(dir);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Every file of the data folder, as if dropped by a user. */
function listFolderFiles(): File[] {
  return (readdirSync(dir, { recursive: true }) as string[])
    .filter((name) => statSync(join(dir, name)).isFile())
    .map((name) => new File([readFileSync(join(dir, name))], name));
}

describe("the files of a data folder, in a page", () => {
  it("answer every plot of the demo as the service's own answerer does on that folder", async () => {
    const folder = await openDataFolderFiles(listFolderFiles());
    expect(folder.files.filter(({ state }) => state === "failed")).toEqual([]);
    const here = new LocalAnswers(
      folder,
      { presets: toPublishedRulesets(presetVersions()), saved: [] },
      HOST,
    );
    const there = new Answerer(openData(dir).engine, NODE_HOST);
    for (const { geometry, properties } of demo.plots) {
      const scheme = properties?.scheme;
      const input = { geometry, ...(scheme !== undefined && { scheme }) };
      const expected = there.answer({
        step: "answer",
        route: "/v1/evaluate",
        body: new TextEncoder().encode(JSON.stringify({ input, ruleset: demo.ruleset })),
        query: { evidence_limit: 20, lint: false, explain: false },
        mediaType: "application/json",
        requestId: "same",
        engineVersion: "0.2.0",
        now: NOW,
        organization: "o",
        mode: "test",
      });
      const question = { input, ruleset: { body: demo.ruleset as object } };
      if (expected.kind === "refused") {
        const refused = catchLocalProblem(() => here.evaluate(question, NOW, "same"));
        expect(refused).toMatchObject({
          code: expected.refusal.code,
          detail: expected.refusal.message,
          errors: expected.refusal.errors,
          details: expected.refusal.details,
        });
      } else if (expected.kind === "answered") {
        const answer = here.evaluate(question, NOW, "same");
        expect(JSON.stringify(answer.record.response)).toBe(expected.response);
      } else expect.fail(expected.kind);
    }
    expect(demo.plots.length).toBeGreaterThan(60);
  });
});
