import type { Limits } from "@groundrule/contract";
import { createDistanceQuestion } from "./distance.ts";
import { evaluate } from "./evaluate.ts";
import { intersections } from "./intersections.ts";
import type { AnyQuestion } from "./question.ts";
import { subjects } from "./subjects.ts";

/** The billable endpoints. */
export function listQuestions({ distanceMeters }: Pick<Limits, "distanceMeters">): readonly AnyQuestion[] {
  // Each question receives only requests that its own schemas accept.
  return [
    evaluate,
    intersections,
    createDistanceQuestion(distanceMeters),
    subjects,
  ] as readonly unknown[] as AnyQuestion[];
}
