import { BordersHere } from "../../here/borders-here.ts";
import { runPolicyTests, type TestsAsked, type TestsTold } from "./run-policy-tests.ts";

// The worker that runs tests of a ruleset, so that long tests do not block the page.

/** The message to the worker. */
export interface TestsMessage extends TestsAsked {
  readonly bordersUrl: string;
}

/** The worker's reply. */
export type TestsReply = { readonly told: TestsTold } | { readonly failed: string };

self.addEventListener("message", ({ data }: MessageEvent<TestsMessage>) => {
  void answer(data).then(
    (told) => self.postMessage({ told } satisfies TestsReply),
    (error: unknown) => self.postMessage({ failed: String(error) } satisfies TestsReply),
  );
});

function answer({ bordersUrl, ...asked }: TestsMessage): Promise<TestsTold> {
  return runPolicyTests(asked, async () => {
    const borders = new BordersHere(bordersUrl);
    await borders.ready();
    return () => borders.snapshot();
  });
}
