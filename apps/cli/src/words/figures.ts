import { FIGURES, type Figures } from "@groundrule/words/figures";

/** Formats numbers and measures for the command's output. */
export const figures: Figures = FIGURES.en;
