import type { JSX } from "preact";
import type { AnswerProblem } from "../answering/answerer.ts";
import { words } from "../languages/language.ts";
import { formatProblem } from "./problem-text.ts";

/** A problem in words, with its code for support. */
export function ProblemNotice({ problem }: { readonly problem: AnswerProblem }): JSX.Element {
  const { title, text } = formatProblem(problem);
  return (
    <div class="problem" role="alert">
      <p class="problem-title">{title}</p>
      {text !== "" && <p>{text}</p>}
      <ProblemDetail problem={problem} shown={text} />
    </div>
  );
}

/**
 * The faults with their places, and the code.
 *
 * @param shown text that is displayed above already
 */
export function ProblemDetail({
  problem: { message, faults, code },
  shown,
}: {
  readonly problem: AnswerProblem;
  readonly shown?: string;
}): JSX.Element {
  const places = faults.filter((fault) => fault.pointer !== undefined || fault.message !== shown);
  return (
    <details class="problem-detail">
      <summary>{words.value.problemDetail}</summary>
      {faults.length === 0 && message !== shown && <p lang="en">{message}</p>}
      {places.length > 0 && (
        <ul class="verdict-faults">
          {places.slice(0, 20).map((fault) => (
            <li key={fault.pointer}>
              {fault.message !== shown && <span lang="en">{fault.message}</span>}{" "}
              {fault.pointer !== undefined && <code>{fault.pointer}</code>}
            </li>
          ))}
        </ul>
      )}
      <code>{code}</code>
    </details>
  );
}
