import { BordersHere } from "../../here/borders-here.ts";
import { runPolicyTests, type TestsAsked, type TestsTold } from "./run-policy-tests.ts";

// The worker in which tests of a ruleset are run: what takes long leaves the page as it is.

/** What is sent to it. */
export interface TestsMessage extends TestsAsked {
  readonly bordersUrl: string;
}

/** What it sends back. */
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
