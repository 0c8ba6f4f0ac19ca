import type { JSX } from "preact";
import type { AnswerProblem } from "../answering/answerer.ts";
import { problemText } from "./problem-text.ts";

/** A problem in words, with its code for whoever is asked about it. */
export function ProblemNotice({ problem }: { readonly problem: AnswerProblem }): JSX.Element {
  const { title, text } = problemText(problem);
  return (
    <div class="problem" role="alert">
      <p class="problem-title">{title}</p>
      <p>{text}</p>
      {text !== problem.message && <p class="problem-detail">{problem.message}</p>}
      <p class="problem-code">
        <code>{problem.code}</code>
      </p>
    </div>
  );
}
