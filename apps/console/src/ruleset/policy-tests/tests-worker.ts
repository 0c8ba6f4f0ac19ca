import { BordersHere } from "../../here/borders-here.ts";
import { runPolicyTests, type TestsInput, type TestsOutcome } from "./run-policy-tests.ts";

// The worker that runs tests of a ruleset, so that long tests do not block the page.

/** The message to the worker. */
export interface TestsMessage extends TestsInput {
  readonly bordersUrl: string;
}

/** The worker's reply. */
export type TestsReply = { readonly outcome: TestsOutcome } | { readonly failed: string };

self.addEventListener("message", ({ data }: MessageEvent<TestsMessage>) => {
  void runTestsMessage(data).then(
    (outcome) => self.postMessage({ outcome } satisfies TestsReply),
    (error: unknown) => self.postMessage({ failed: String(error) } satisfies TestsReply),
  );
});

function runTestsMessage({ bordersUrl, ...input }: TestsMessage): Promise<TestsOutcome> {
  return runPolicyTests(input, async () => {
    const borders = new BordersHere(bordersUrl);
    await borders.ready();
    return () => borders.snapshot();
  });
}
