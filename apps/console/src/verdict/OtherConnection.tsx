import type { JSX } from "preact";
import type { AnswerProblem } from "../answering/answerer.ts";
import { findBlamed } from "../answering/blame.ts";
import { isConnectionOpen } from "../connection/connect.ts";
import { words } from "../languages/language.ts";

/** The button that leads to another key, or to an evaluation on this device; nothing if neither would help. */
export function OtherConnection({ problem }: { readonly problem: AnswerProblem }): JSX.Element | null {
  const say = words.value;
  const blamed = findBlamed(problem);
  if (blamed !== "key" && blamed !== "quota") return null;
  return (
    <button
      type="button"
      onClick={() => {
        isConnectionOpen.value = true;
      }}
    >
      {blamed === "key" ? say.problemOtherKey : say.problemHere}
    </button>
  );
}
