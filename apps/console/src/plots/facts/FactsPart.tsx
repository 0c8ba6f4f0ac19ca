import { type Signal, signal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { words } from "../../languages/language.ts";
import { notice } from "../../state/notice.ts";
import { plots } from "../../state/store.ts";
import { cancelQuestions, progress } from "../run-questions.ts";

const form: Signal<typeof import("./FactsForm.tsx") | undefined> = signal(undefined);

/**
 * The facts that the chosen ruleset asks for, loaded with the first plot; if loading fails, a question that needs it
 * tries again.
 */
export function FactsPart(): JSX.Element | null {
  useSignalEffect(() => {
    const isAsking = progress.value !== undefined;
    if (form.peek() !== undefined) return;
    import("./FactsForm.tsx").then(
      (parts) => {
        form.value = parts;
      },
      () => {
        // Without it, facts in files cannot be read.
        if (!isAsking || !plots.peek().some(({ fileFacts }) => fileFacts !== undefined)) return;
        cancelQuestions();
        notice.value = words.peek().problemNetwork;
      },
    );
  });
  return form.value === undefined ? null : <form.value.FactsForm />;
}
