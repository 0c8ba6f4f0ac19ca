import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { askedFacts } from "../../state/facts.ts";

/** The form, once a ruleset asks for something: no page needs it to begin with. */
const form: Signal<typeof import("./FactsForm.tsx") | undefined> = signal(undefined);

/** What the chosen ruleset asks the applicant for; nothing where it asks for nothing. */
export function FactsPart(): JSX.Element | null {
  const asked = askedFacts.value;
  const isNeeded = asked?.usesProperty === true || Object.keys(asked?.facts ?? {}).length > 0;
  useEffect(() => {
    if (!isNeeded || form.peek() !== undefined) return;
    import("./FactsForm.tsx").then(
      (parts) => {
        form.value = parts;
      },
      // The next ruleset that asks for something tries again.
      () => {},
    );
  }, [isNeeded, asked]);
  return isNeeded && form.value !== undefined ? <form.value.FactsForm asked={asked!} /> : null;
}
