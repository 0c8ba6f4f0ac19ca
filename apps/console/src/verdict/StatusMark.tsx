import type { VerdictStatus } from "@groundrule/engine";
import type { JSX } from "preact";
import { words } from "../languages/language.ts";
import { standingWord } from "../state/standing.ts";

/** The sign of a verdict: its shape tells it apart without colour. */
export function StatusMark({ status }: { readonly status: VerdictStatus | "NOTICE" }): JSX.Element {
  return (
    <svg class={`mark mark-${status.toLowerCase()}`} viewBox="0 0 24 24" aria-hidden="true">
      {SHAPES[status]}
    </svg>
  );
}

const SHAPES: Readonly<Record<VerdictStatus | "NOTICE", JSX.Element>> = {
  COMPLIANT: (
    <>
      <circle cx="12" cy="12" r="10" />
      <path d="M7 12.5l3.5 3.5L17 8.5" />
    </>
  ),
  WARNING: (
    <>
      <path class="mark-ground" d="M12 2.5L22.5 21h-21z" />
      <path d="M12 9.5v5M12 17.5v.5" />
    </>
  ),
  NON_COMPLIANT: (
    <>
      <path class="mark-ground" d="M8 2h8l6 6v8l-6 6H8l-6-6V8z" />
      <path d="M8.5 8.5l7 7M15.5 8.5l-7 7" />
    </>
  ),
  DEGRADED: (
    <>
      <circle cx="12" cy="12" r="10" />
      <path d="M9 9a3 3 0 1 1 4.2 2.8c-.8.4-1.2 1-1.2 2M12 17v.5" />
    </>
  ),
  NOTICE: (
    <>
      <circle cx="12" cy="12" r="10" />
      <path d="M12 11v6M12 7v.5" />
    </>
  ),
};

/** The word of a verdict. */
export function statusWord(status: VerdictStatus | "NOTICE"): string {
  return status === "NOTICE" ? words.value.verdictNotice : standingWord(status);
}
