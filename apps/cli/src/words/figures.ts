import type { Formats } from "@groundrule/words";
import { getTongue } from "@groundrule/words/languages";

/** Formats numbers and measures for the command's output. */
export const figures: Formats = getTongue("en").formats;
