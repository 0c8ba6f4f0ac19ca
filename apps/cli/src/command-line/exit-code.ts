/** Exit codes of every command. */
export const EXIT = {
  done: 0,
  /**
   * A verdict named by `--fail-on` occurred, a replay did not confirm a record, a test failed, or an edition did not
   * become current.
   */
  failOn: 1,
  /** The command line is wrong. */
  usage: 2,
  /** A plot, a ruleset or a source file got no answer; its error has the reason. */
  badInput: 3,
  /** The data folder, a file or the service was not available. */
  unavailable: 4,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The more severe of two codes; ascending: done, `--fail-on`, bad input, unavailable. */
export function pickWorseExitCode(a: ExitCode, b: ExitCode): ExitCode {
  return a > b ? a : b;
}
