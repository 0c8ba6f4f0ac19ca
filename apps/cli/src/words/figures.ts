import { FIGURES, type Figures } from "@groundrule/engine/internal";

/** Formats numbers and measures for the command's output. */
export const figures: Figures = FIGURES.en;
