import type { JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { words } from "../../languages/language.ts";
import { plots } from "../../state/store.ts";
import type { NamedPlot, TestsOutcome } from "./run-policy-tests.ts";
import type { TestsMessage, TestsReply } from "./tests-worker.ts";

/** Maximum duration of tests. */
const DEADLINE_MS = 30_000;
/** Same limit as the command's; a longer file is not even loaded into the field. */
const TESTS_BYTES_MAX = 1024 * 1024;

/** A test file for a ruleset: written or opened here, run in the page, with a result per case. */
export function TestsView({
  name,
  ruleset,
  yaml,
  onYaml,
}: {
  readonly name: string;
  /** Undefined while its text is not valid JSON. */
  readonly ruleset: object | undefined;
  readonly yaml: string;
  readonly onYaml: (yaml: string) => void;
}): JSX.Element {
  const say = words.value;
  const [outcome, setOutcome] = useState<TestsOutcome>();
  const [failed, setFailed] = useState<string>();
  const [isRunning, setRunning] = useState(false);
  const end = useRef<() => void>(() => {});
  const field = useId();
  // The shown results are of another text, or of another ruleset.
  useEffect(() => {
    setOutcome(undefined);
    setFailed(undefined);
    return () => end.current();
  }, [ruleset, yaml]);

  const open = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    try {
      onYaml(await readTestsText(file));
    } catch (error) {
      setFailed(`${file.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const run = async (): Promise<void> => {
    setOutcome(undefined);
    setFailed(undefined);
    setRunning(true);
    const request = {
      name,
      ruleset: ruleset!,
      yaml,
      plots: listNamedPlots(yaml),
      bordersUrl: new URL("borders.gz", document.baseURI).href,
    };
    const reply = await runTestsInWorker(request, (ender) => {
      end.current = ender;
    });
    setRunning(false);
    if (reply === undefined) return;
    if ("outcome" in reply) setOutcome(reply.outcome);
    else setFailed(reply.failed);
  };
  return (
    <div class="rules-tests">
      <label for={field}>{say.rulesetTestsLabel}</label>
      <p class="plots-empty">{say.rulesetTestsPlots}</p>
      <textarea
        id={field}
        rows={10}
        spellcheck={false}
        value={yaml}
        onInput={({ currentTarget }) => onYaml(currentTarget.value)}
        onDrop={(event) => {
          const file = event.dataTransfer?.files[0];
          if (file === undefined) return;
          event.preventDefault(); // it must not be read as a plot
          void open(file);
        }}
      />
      <p class="rules-actions">
        <label class="plots-choose">
          <input
            type="file"
            accept=".yaml,.yml"
            onChange={({ currentTarget }) => {
              void open(currentTarget.files?.[0]);
              currentTarget.value = ""; // so that the same file can be chosen again
            }}
          />
          <span>{say.rulesetTestsOpen}</span>
        </label>
        <button
          type="button"
          class="primary"
          disabled={isRunning || ruleset === undefined || yaml.trim() === ""}
          onClick={() => void run()}
        >
          {isRunning ? say.rulesetTestsRunning : say.rulesetTestsRun}
        </button>
      </p>
      <div role="status">
        {failed !== undefined && <p class="rules-missing">{failed}</p>}
        {outcome !== undefined && <Results outcome={outcome} />}
      </div>
    </div>
  );
}

function Results({ outcome }: { readonly outcome: TestsOutcome }): JSX.Element {
  const say = words.value;
  if ("faults" in outcome) {
    return (
      <ul class="rules-findings">
        {outcome.faults.map(({ line, column, message }) => (
          <li key={`${line}:${column} ${message}`} data-severity="error">
            {say.rulesetTestsPlace(line, column)} {message}
          </li>
        ))}
      </ul>
    );
  }
  const failures = outcome.cases.filter(({ differences }) => differences.length > 0).length;
  return (
    <>
      <p class="rules-results">
        <strong>{say.rulesetTestsCount(outcome.cases.length - failures, failures)}</strong>
      </p>
      <ul class="rules-cases">
        {outcome.cases.map(({ name, differences }) => (
          <li key={name} data-state={differences.length === 0 ? "passed" : "failed"}>
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
      {outcome.gaps.length > 0 && (
        <>
          <h3>{say.rulesetTestsGaps}</h3>
          <ul class="rules-cases">
            {outcome.gaps.map(({ of, never }) => (
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

/** The plots of the list that tests refer to, by name or by their file's name. */
function listNamedPlots(yaml: string): NamedPlot[] {
  return plots.peek().flatMap(({ id, origin, input }) => {
    const isNamed = input !== undefined && (yaml.includes(id) || yaml.includes(origin));
    return isNamed ? [{ id, origin, input }] : [];
  });
}

/** Fails: if the file is too long, or cannot be read as text. */
async function readTestsText(file: File): Promise<string> {
  if (file.size > TESTS_BYTES_MAX) throw new Error(words.peek().rulesetTestsLong(file.size, TESTS_BYTES_MAX));
  return file.text();
}

/** Runs tests in a worker of their own, which ends with them. Resolves to undefined if they were stopped before. */
function runTestsInWorker(
  request: TestsMessage,
  onStart: (end: () => void) => void,
): Promise<TestsReply | undefined> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL("./tests-worker.ts", import.meta.url), { type: "module" });
    const settle = (reply: TestsReply | undefined): void => {
      clearTimeout(timer);
      worker.terminate();
      resolve(reply);
    };
    const timer = setTimeout(() => settle({ failed: words.peek().rulesetTestsSlow }), DEADLINE_MS);
    onStart(() => settle(undefined));
    worker.addEventListener("message", ({ data }: MessageEvent<TestsReply>) => settle(data));
    worker.addEventListener("error", (event) => settle({ failed: event.message }));
    worker.postMessage(request);
  });
}
