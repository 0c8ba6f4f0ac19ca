import type { Input, StoreReads, StoreWrites } from "./port.ts";
import { StoreError, type StoreErrorCode } from "./store-error.ts";

/** A read as data: the operation's name and its input, plain values that can cross threads. */
export type ReadCall = CallOf<keyof StoreReads>;

/** A write as data, likewise. */
export type WriteCall = CallOf<keyof StoreWrites>;

type CallOf<Names extends keyof StoreReads | keyof StoreWrites> = {
  readonly [Name in Names]: { readonly name: Name; readonly input: Input<Name> };
}[Names];

/** The result of a call; errors in a form that can cross threads. */
export type CallResult = { readonly value: unknown } | { readonly failed: PlainError };

export interface PlainError {
  /** Absent if the error is a bug. */
  readonly code?: StoreErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export function toPlainError(error: unknown): PlainError {
  if (error instanceof StoreError) {
    return { code: error.code, message: error.message, details: error.details };
  }
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error), details: {} };
}

export function fromPlainError({ code, message, details }: PlainError): Error {
  return code === undefined ? new Error(message) : new StoreError(code, message, details);
}
