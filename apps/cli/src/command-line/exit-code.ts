/** Exit codes of every command. */
export const EXIT = {
  done: 0,
  /** What `--fail-on` names was found, or a record that its replay does not confirm, a test that fails, or an edition that did not become current. */
  failOn: 1,
  /** The command line is wrong. */
  usage: 2,
  /** A plot, a ruleset or a source file could not be answered for; its error says why. */
  badInput: 3,
  /** The data folder, a file or the service could not be reached. */
  unavailable: 4,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The code that says more of two: done, `--fail-on`, bad input, unavailable. */
export function worse(a: ExitCode, b: ExitCode): ExitCode {
  return a > b ? a : b;
}
