/** States with a colour of their own: the verdicts, and the outcome that changes none. */
export type Shown = "COMPLIANT" | "WARNING" | "NON_COMPLIANT" | "DEGRADED" | "NOTICE";

/** Colours of verdicts on one ground, each `#rrggbb`. */
export interface VerdictColors {
  /** Colours of words: a contrast of at least 4.5:1 (WCAG 2.2, 1.4.3). */
  readonly text: Readonly<Record<Shown, string>>;
  /** Colours of marks, lines, dots and bars: at least 3:1 (1.4.11), and distinct for colour-blind readers. */
  readonly marks: Readonly<Record<Shown, string>>;
}

const DARK: VerdictColors["text"] = {
  COMPLIANT: "#a5efec",
  WARNING: "#f5b32e",
  NON_COMPLIANT: "#f15c46",
  DEGRADED: "#9db4cd",
  NOTICE: "#bc66fc",
};

/**
 * The colours of verdicts that page, report and portfolio share, for light grounds and dark ones.
 *
 * Any two marks of a ground are at least 0.13 apart in OKLab, for normal sight and for protanopia, deuteranopia and
 * tritanopia. No verdict is told by its colour alone: its sign and its word say the same.
 */
export const VERDICT_COLORS: Readonly<Record<"light" | "dark", VerdictColors>> = {
  light: {
    text: {
      COMPLIANT: "#066e76",
      WARNING: "#8a5300",
      NON_COMPLIANT: "#b3140b",
      DEGRADED: "#4b5f72",
      NOTICE: "#7a12c8",
    },
    marks: {
      COMPLIANT: "#066e76",
      WARNING: "#c97e16",
      NON_COMPLIANT: "#b01308",
      DEGRADED: "#7d90a1",
      NOTICE: "#8f1fe8",
    },
  },
  dark: { text: DARK, marks: DARK },
};
