/** The oldest Node on which the command runs, the first with SQLite 3.51.3; its package.json has it too. */
export const OLDEST_NODE: { readonly major: number; readonly minor: number } = { major: 24, minor: 15 };

/** The version in words. */
export const OLDEST_NODE_TEXT: string = `${OLDEST_NODE.major}.${OLDEST_NODE.minor}`;

/** The advice for a Node that is too old. */
export const NEWER_NODE = "install one, say from https://nodejs.org, and start this with it";

/** True if the command runs on that version of Node, such as `24.15.0`. */
export function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > OLDEST_NODE.major || (major === OLDEST_NODE.major && minor >= OLDEST_NODE.minor);
}
