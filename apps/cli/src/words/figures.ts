import { FIGURES, type Figures } from "@groundrule/engine/internal";

/** Numbers and measures as the command writes them. */
export const figures: Figures = FIGURES.en;
