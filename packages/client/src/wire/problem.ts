import type { ErrorCode, ProblemMembers } from "@groundrule/contract";
import type { Fault } from "@groundrule/engine";

/** Body of every answer that is not a success (RFC 9457), with the members that its code adds. */
export type Problem<Code extends ErrorCode = ErrorCode> = {
  /** The entry of the code in the service's page of errors, relative to the service. */
  readonly type: string;
  readonly title: string;
  /** HTTP status. */
  readonly status: number;
  readonly code: Code;
  /** The fault of this occurrence, in one sentence. */
  readonly detail: string;
  /** The request id. */
  readonly instance: string;
  /** Each fault with its place; empty if the problem has no place. */
  readonly errors: readonly Fault[];
  /** Facts behind `detail` as data: the found value, the allowed values. */
  readonly details?: Readonly<Record<string, unknown>>;
} & (Code extends keyof ProblemMembers ? ProblemMembers[Code] : unknown);
