import { FIGURES, type Figures } from "@groundrule/engine/figures";

/** Numbers and measures as the command writes them. */
export const figures: Figures = FIGURES.en;
