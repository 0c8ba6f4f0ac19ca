import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";

const form: Signal<typeof import("./FactsForm.tsx") | undefined> = signal(undefined);

/** What the chosen ruleset asks the applicant for, loaded with the first plot. */
export function FactsPart(): JSX.Element | null {
  useEffect(() => {
    import("./FactsForm.tsx").then(
      (parts) => {
        form.value = parts;
      },
      // The next list of plots tries again.
      () => {},
    );
  }, []);
  return form.value === undefined ? null : <form.value.FactsForm />;
}
