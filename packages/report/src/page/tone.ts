import { type Shown, VERDICT_COLORS } from "@groundrule/words";

/** State that determines the colour of a part of a page; a plot without a verdict has the ink's. */
export type Toned = Shown | "ERROR" | "UNASKED";

/** An attribute's style: `--c` is the colour of words, `--m` that of marks, on light grounds and dark ones. */
export function formatToneStyle(shown: Toned): string {
  const name = toToneName(shown);
  return `--c: var(--${name}); --m: var(--${name}-mark)`;
}

/** The colours of verdicts on a ground, as custom properties. */
export function formatToneProperties(ground: "light" | "dark"): string {
  const { text, marks } = VERDICT_COLORS[ground];
  const of = (shown: Shown): string =>
    `--${toToneName(shown)}: ${text[shown]}; --${toToneName(shown)}-mark: ${marks[shown]};`;
  const ink = { light: "#1a1a1a", dark: "#e9e9e4" }[ground];
  const soft = { light: "#555555", dark: "#adada6" }[ground];
  return `${(Object.keys(text) as Shown[]).map(of).join(" ")} --error: ${ink}; --error-mark: ${ink}; --unasked: ${soft}; --unasked-mark: ${soft};`;
}

function toToneName(shown: Toned): string {
  return shown.toLowerCase().replace("_", "-");
}
