export {
  FIGURES,
  type FigureLanguage,
  Figures,
  type NumberForms,
  thresholdsOf,
  type Unit,
  unitOf,
} from "./base/figures.ts";
export { type Shown, VERDICT_COLORS, type VerdictColors } from "./base/verdict-colors.ts";
