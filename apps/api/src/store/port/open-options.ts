/** Options for opening a store of either database. */
export interface OpenOptions {
  /**
   * `serve`: a serving process, of which a SQLite file has one; `manage`: a command that runs at the same time; `read`:
   * a command that changes nothing, not even the schema. Default `manage`.
   */
  readonly role?: "serve" | "manage" | "read";
  /** `make` creates a missing store; the default, `refuse`, fails with `STORE_MISSING`. */
  readonly absent?: "make" | "refuse";
  /** True to believe the clock, however far it is from the instant at which the store was last in service. */
  readonly trustClock?: boolean;
}
