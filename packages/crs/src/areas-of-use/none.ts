/** Browsers do without: {@link AREAS_OF_USE} of Node is larger than what it is good for there. */
export const AREAS_OF_USE: readonly string[] = [];
