export {
  FIGURES,
  type FigureLanguage,
  Figures,
  NUMBER_FORMS,
  type NumberForms,
  thresholdsOf,
  type Unit,
  unitOf,
} from "./base/figures.ts";
