/** A place that stays as it is. */
export interface Exception {
  /** The file, or the folder with everything in it. */
  readonly path: string;
  /** The name, or the comment's first line. */
  readonly text: string;
  readonly reason: string;
}

const PUBLISHED = "a name that 0.2.0 published, kept as a deprecated alias";
const DETAILS = "a member of the details of SCHEME_UNSUPPORTED, which travel over HTTP";

export const EXCEPTIONS: readonly Exception[] = [
  { path: "packages/engine/src/ruleset/select/checked-input.ts", text: "held", reason: DETAILS },
  { path: "packages/engine/src/subjects", text: "held", reason: DETAILS },
  { path: "packages/engine/src/subjects", text: "asked", reason: DETAILS },
  { path: "packages/engine/src/subjects/registered-elsewhere.ts", text: "HeldElsewhere", reason: PUBLISHED },
  { path: "packages/formats/src/open/detect.ts", text: "Told", reason: PUBLISHED },
];
