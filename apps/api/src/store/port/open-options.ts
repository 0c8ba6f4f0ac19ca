/** How a store is opened, whichever database it is of. */
export interface OpenOptions {
  /**
   * `serve`: a serving process, of which a SQLite file has one; `manage`: a command beside it; `read`: a
   * command that changes nothing, not even the schema. Default `manage`.
   */
  readonly role?: "serve" | "manage" | "read";
  /** Whether a store is made where there is none. Default it is refused, with `STORE_MISSING`. */
  readonly absent?: "make" | "refuse";
  /** Whether the clock is believed however far it is from the instant at which the store was last served. */
  readonly trustClock?: boolean;
}
