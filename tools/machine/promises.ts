let failures = 0;

/** Prints whether a promise is kept, and what the programs printed by which it is broken. */
export async function checkPromise(promise: string, keep: () => Promise<void>): Promise<boolean> {
  try {
    await keep();
    console.log(`ok      ${promise}`);
    return true;
  } catch (error) {
    failures++;
    console.log(`FAILED  ${promise}\n${describeFailure(error)}`);
    return false;
  }
}

/** Ends the report of all promises, and sets the exit code. */
export function reportChecks(): void {
  console.log(failures === 0 ? "every check passed" : `${failures} FAILED`);
  process.exitCode = failures === 0 ? 0 : 1;
}

/** The message of an error, and the output of the program that failed. */
export function describeFailure(error: unknown): string {
  const { message, stdout = "", stderr = "" } = error as Error & { stdout?: string; stderr?: string };
  return [message, stdout, stderr].join("\n").trim();
}
