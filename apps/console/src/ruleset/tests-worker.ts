import { BordersHere } from "../here/borders-here.ts";
import { runPolicyTests, type TestsAsked, type TestsTold } from "./run-policy-tests.ts";

// The worker in which tests of a ruleset are run: what takes long leaves the page as it is.

/** What is sent to it. */
export interface TestsMessage extends TestsAsked {
  readonly bordersUrl: string;
}

/** What it sends back. */
export type TestsReply = { readonly told: TestsTold } | { readonly failed: string };

/** Whether a test file may cover countries: their borders are fetched for none else. */
const COVERS_COUNTRIES = /\bcoverage\s*:\s*(?:\[|\n\s*-)/;

self.addEventListener("message", ({ data }: MessageEvent<TestsMessage>) => {
  void answer(data).then(
    (told) => self.postMessage({ told } satisfies TestsReply),
    (error: unknown) => self.postMessage({ failed: String(error) } satisfies TestsReply),
  );
});

async function answer({ bordersUrl, ...asked }: TestsMessage): Promise<TestsTold> {
  if (!COVERS_COUNTRIES.test(asked.yaml)) return runPolicyTests(asked, undefined);
  const borders = new BordersHere(bordersUrl);
  await borders.ready();
  return runPolicyTests(asked, () => borders.snapshot());
}
