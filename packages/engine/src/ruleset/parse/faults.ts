import { EngineError, FAULT_LIMIT, type Fault, formatFaultsMessage } from "../../base/errors.ts";
import { escapePointerToken } from "../../base/json-pointer.ts";
import { unknownMemberMessage } from "../../shape/check-shape.ts";
import { FilterTexts } from "./filter-texts.ts";

/** Every kind of fault that a ruleset is refused for. */
export type RulesetFaultCode =
  | "COLUMN_UNKNOWN"
  | "COMPARISON_INVALID"
  | "COUNTRY_UNKNOWN"
  | "DISTANCE_UNLIMITED"
  | "FACT_UNKNOWN"
  | "FACT_UNSUITED"
  | "FILTER_SYNTAX"
  | "JSON_INVALID"
  | "LIMIT_EXCEEDED"
  | "MEASURE_UNSUITED"
  | "MEMBER_MISSING"
  | "MEMBER_UNKNOWN"
  | "MEMBERS_EXCLUSIVE"
  | "NAME_DUPLICATE"
  | "OPERATOR_UNKNOWN"
  | "RASTER_DISTANCE"
  | "SET_CYCLE"
  | "SET_UNKNOWN"
  | "SET_UNSUITED"
  | "SOURCE_KIND"
  | "SOURCE_UNKNOWN"
  | "TYPE_MISMATCH"
  | "VALUE_INVALID";

/** Collects what is wrong with a ruleset, so that its author learns everything at once. */
export class RulesetFaults {
  /** Filters in text: their faults have their place in it. */
  readonly texts: FilterTexts = new FilterTexts();
  readonly #faults: Fault[] = [];
  #count = 0;
  #sourceFaults = 0;

  get count(): number {
    return this.#count;
  }

  /** @param message told only of the faults that will be shown: suggesting names costs work */
  add(pointer: string, code: RulesetFaultCode, message: string | (() => string)): void {
    this.#count++;
    if (code === "SOURCE_UNKNOWN" || code === "SOURCE_KIND") this.#sourceFaults++;
    if (this.#count > FAULT_LIMIT) return;
    const words = typeof message === "string" ? message : message();
    this.#faults.push({ code, ...this.texts.locate(pointer, words, code) });
  }

  /** A member nobody knows, with the known name it most resembles. */
  addUnknownMember(pointer: string, name: string, known: readonly string[]): void {
    this.add(`${pointer}/${escapePointerToken(name)}`, "MEMBER_UNKNOWN", () =>
      unknownMemberMessage(name, known),
    );
  }

  /**
   * Throws what was found: `SOURCE_UNKNOWN` where only sources are at fault, else `RULESET_INVALID`.
   *
   * @param facts more of the error's details; empty lists are left out
   */
  throwIfAny(facts: Readonly<Record<string, readonly unknown[]>> = {}): void {
    if (this.#count === 0) return;
    throw new EngineError(
      this.#sourceFaults === this.#count ? "SOURCE_UNKNOWN" : "RULESET_INVALID",
      formatFaultsMessage(this.#faults, this.#count),
      {
        faults: this.#faults,
        fault_count: this.#count,
        ...Object.fromEntries(Object.entries(facts).filter(([, list]) => list.length > 0)),
      },
    );
  }
}
