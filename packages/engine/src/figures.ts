export {
  FIGURES,
  type FigureLanguage,
  Figures,
  type NumberForms,
  thresholdsOf,
  type Unit,
  unitOf,
} from "./base/figures.ts";
