import type { VerdictStatus } from "@groundrule/engine";
import type { JSX } from "preact";
import { tongue } from "../languages/language.ts";
import { type PlotStatus, plotStatusWord } from "../state/plot-status.ts";

/** The icon of an outcome, or of a plot's status: its shape distinguishes it without colour. */
export function Mark({ of }: { readonly of: PlotStatus | "NOTICE" }): JSX.Element {
  return (
    <svg class={`mark mark-${of.toLowerCase()}`} viewBox="0 0 24 24" aria-hidden="true">
      {SHAPES[of]}
    </svg>
  );
}

const SHAPES: Readonly<Record<PlotStatus | "NOTICE", JSX.Element>> = {
  COMPLIANT: (
    <>
      <circle cx="12" cy="12" r="10" />
      <path d="M7 12.5l3.5 3.5L17 8.5" />
    </>
  ),
  WARNING: (
    <>
      <path d="M12 2.5L22.5 21h-21z" />
      <path d="M12 9.5v5M12 17.5v.5" />
    </>
  ),
  NON_COMPLIANT: (
    <>
      <path d="M8 2h8l6 6v8l-6 6H8l-6-6V8z" />
      <path d="M8.5 8.5l7 7M15.5 8.5l-7 7" />
    </>
  ),
  DEGRADED: (
    <>
      <circle cx="12" cy="12" r="10" />
      <path d="M9 9a3 3 0 1 1 4.2 2.8c-.8.4-1.2 1-1.2 2M12 17v.5" />
    </>
  ),
  NEW: (
    <>
      <circle cx="12" cy="12" r="10" />
      <path d="M8 12h8" />
    </>
  ),
  ASKING: (
    <>
      <circle cx="12" cy="12" r="10" />
      <path d="M7.5 12v0M12 12v0M16.5 12v0" />
    </>
  ),
  UNANSWERED: (
    <>
      <circle cx="12" cy="12" r="10" stroke-dasharray="3 3.3" />
      <path d="M8 12h8" />
    </>
  ),
  REFUSED: (
    <>
      <circle cx="12" cy="12" r="10" stroke-dasharray="3 3.3" />
      <path d="M8.5 8.5l7 7M15.5 8.5l-7 7" />
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
export function formatStatus(status: VerdictStatus | "NOTICE"): string {
  return status === "NOTICE" ? tongue.value.words.outcomes.NOTICE : plotStatusWord(status);
}
