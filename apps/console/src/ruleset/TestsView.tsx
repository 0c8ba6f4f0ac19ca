import type { JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { words } from "../languages/language.ts";
import type { TestsTold } from "./run-policy-tests.ts";
import type { TestsMessage, TestsReply } from "./tests-worker.ts";

/** Tests that run longer than this are ended. */
const DEADLINE_MS = 30_000;

/** A test file beside a ruleset: written or opened here, run in the page, told case by case. */
export function TestsView({
  name,
  ruleset,
}: {
  readonly name: string;
  readonly ruleset: object;
}): JSX.Element {
  const say = words.value;
  const [yaml, setYaml] = useState("");
  const [told, setTold] = useState<TestsTold>();
  const [failed, setFailed] = useState<string>();
  const [isRunning, setRunning] = useState(false);
  const end = useRef<() => void>(() => {});
  const field = useId();
  useEffect(() => () => end.current(), []);

  const run = async (): Promise<void> => {
    setTold(undefined);
    setFailed(undefined);
    setRunning(true);
    const asked = { name, ruleset, yaml, bordersUrl: new URL("borders.gz", document.baseURI).href };
    const reply = await answerOf(asked, (ender) => {
      end.current = ender;
    });
    setRunning(false);
    if ("told" in reply) setTold(reply.told);
    else setFailed(reply.failed);
  };
  return (
    <div class="rules-tests">
      <label for={field}>{say.rulesetTestsLabel}</label>
      <textarea
        id={field}
        rows={10}
        spellcheck={false}
        value={yaml}
        onInput={({ currentTarget }) => setYaml(currentTarget.value)}
      />
      <p class="rules-actions">
        <label class="plots-choose">
          <input
            type="file"
            accept=".yaml,.yml"
            onChange={({ currentTarget }) => {
              void currentTarget.files?.[0]?.text().then(setYaml);
            }}
          />
          <span>{say.rulesetTestsOpen}</span>
        </label>
        <button
          type="button"
          class="primary"
          disabled={isRunning || yaml.trim() === ""}
          onClick={() => void run()}
        >
          {isRunning ? say.rulesetTestsRunning : say.rulesetTestsRun}
        </button>
      </p>
      <div role="status">
        {failed !== undefined && <p class="rules-missing">{failed}</p>}
        {told !== undefined && <Results told={told} />}
      </div>
    </div>
  );
}

function Results({ told }: { readonly told: TestsTold }): JSX.Element {
  const say = words.value;
  if ("faults" in told) {
    return (
      <ul class="rules-findings">
        {told.faults.map(({ line, column, message }) => (
          <li key={`${line}:${column} ${message}`} data-severity="error">
            {say.rulesetTestsPlace(line, column)} {message}
          </li>
        ))}
      </ul>
    );
  }
  const failures = told.cases.filter(({ differences }) => differences.length > 0).length;
  return (
    <>
      <p>
        <strong>{say.rulesetTestsCount(told.cases.length - failures, failures)}</strong>
      </p>
      <ul class="rules-cases">
        {told.cases.map(({ name, line, differences }) => (
          <li key={line} data-state={differences.length === 0 ? "passed" : "failed"}>
            {differences.length === 0 ? "✓" : "✗"}{" "}
            <span class="visually-hidden">
              {differences.length === 0 ? say.rulesetTestsPassed : say.rulesetTestsFailed}
            </span>{" "}
            {name}
            {differences.map(({ what, expected, found }) => (
              <p key={`${what} ${expected}`}>{say.rulesetTestsDifference(what, expected, found)}</p>
            ))}
          </li>
        ))}
      </ul>
      {told.gaps.length > 0 && (
        <>
          <h3>{say.rulesetTestsGaps}</h3>
          <ul class="rules-cases">
            {told.gaps.map(({ of, never }) => (
              <li key={of}>
                <code>{of}</code>: {say.rulesetTestsNever(never.join(", "))}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** Runs tests in a worker of their own, which ends with them. */
function answerOf(asked: TestsMessage, onStart: (end: () => void) => void): Promise<TestsReply> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL("./tests-worker.ts", import.meta.url), { type: "module" });
    const settle = (reply: TestsReply): void => {
      clearTimeout(timer);
      worker.terminate();
      resolve(reply);
    };
    const timer = setTimeout(() => settle({ failed: words.peek().rulesetTestsSlow }), DEADLINE_MS);
    onStart(() => settle({ failed: "" }));
    worker.addEventListener("message", ({ data }: MessageEvent<TestsReply>) => settle(data));
    worker.addEventListener("error", (event) => settle({ failed: event.message }));
    worker.postMessage(asked);
  });
}
