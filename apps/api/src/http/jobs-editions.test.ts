import { createAreaWriter, type SnapshotFile } from "@groundrule/engine/build";
import { parseRecord, replayRecord } from "@groundrule/engine/records";
import { installEdition, openData } from "@groundrule/node";
import { EditionArchive } from "@groundrule/node/internal";
import { hostInProcess, hostOverArchive } from "@groundrule/service";
import { createBoxRing } from "@groundrule/testing/shapes";
import { createSmallWorldFiles } from "@groundrule/testing/small-world";
import { expect, it } from "vitest";
import { isFinal, JobCaller, makePlotFeatures, readJobResponse } from "../../test/jobs-over-http.ts";
import { startService } from "../../test/service.ts";
import { createTestFolder } from "../../test/temporary-folder.ts";

/** Another edition of the parks: none is near any plot. */
function makeEditionWithoutParks(): SnapshotFile {
  const columns = { category: "string", founded: "date" } as const;
  const writer = createAreaWriter({ source_name: "demo:parks", kind: "leaf", columns });
  const properties = { category: "II", founded: "1990-05-01" };
  writer.add({
    id: "far",
    name: "Far",
    countryIso3: "BRA",
    polygons: [[createBoxRing(50, 0, 50.1, 0.1)]],
    properties,
  });
  return writer.finish();
}

it("stays on the editions it began with when others become current in the middle, and waits where they are gone", async () => {
  const dir = await createTestFolder();
  for (const file of createSmallWorldFiles()) await installEdition(dir, file);
  const data = openData(dir);
  const queried: string[] = [];
  const service = await startService(
    hostInProcess(() => data.engine),
    {
      quota: 10,
      jobs: { lookMs: 20, examineMs: 20 },
      openArchive: (question) => {
        queried.push(JSON.stringify(question.sources));
        return hostOverArchive(dir, question);
      },
    },
  );
  try {
    const caller = new JobCaller(service);
    const { organization, store } = service;
    const job = await readJobResponse(await caller.send(makePlotFeatures(30), "editions-change"));
    await caller.until(job.id, ({ status }) => status === "paused");
    await installEdition(dir, makeEditionWithoutParks());
    expect(data.reload()).toBe(true);
    await store.setQuota({ scope: { organization, mode: "test" }, quota: 100 });
    const done = await caller.until(job.id, isFinal);
    expect(done).toMatchObject({ status: "done", answered: 30, editions: job.editions });
    expect(queried).toHaveLength(1);
    const results = await caller.results(job.id);
    const archive = new EditionArchive(dir);
    for (const line of results) {
      if (line.status !== "answered") throw new Error(`plot ${line.number} is ${line.status}`);
      const { data: answer } = line.response;
      expect([answer.verdict, answer.sources[0]!.edition]).toEqual(["WARNING", job.editions[0]!.edition]);
      const decision = await caller.get(`/v1/decisions/${line.decision_id}`);
      const record = parseRecord(((await decision.json()) as { data: { record: unknown } }).data.record);
      const engine = archive.open({ sources: record.response.data.sources, groups: record.groups });
      expect(replayRecord(engine, record)).toMatchObject({ result: "identical" });
    }
    const after = await readJobResponse(await caller.send(makePlotFeatures(1), "on-new-editions"));
    await caller.until(after.id, isFinal);
    expect(await caller.results(after.id)).toMatchObject([{ response: { data: { verdict: "COMPLIANT" } } }]);
  } finally {
    await service.stop();
  }
});
