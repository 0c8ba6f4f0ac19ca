import type { JSX } from "preact";
import type { AnswerProblem } from "../answering/answerer.ts";
import { words } from "../languages/language.ts";
import { problemText } from "./problem-text.ts";

/** A problem in words, with its code for whoever is asked about it. */
export function ProblemNotice({ problem }: { readonly problem: AnswerProblem }): JSX.Element {
  const { title, text } = problemText(problem);
  return (
    <div class="problem" role="alert">
      <p class="problem-title">{title}</p>
      {text !== "" && <p>{text}</p>}
      <details class="problem-detail">
        <summary>{words.value.problemDetail}</summary>
        {text !== problem.message && <p>{problem.message}</p>}
        <code>{problem.code}</code>
      </details>
    </div>
  );
}
