import { eudr } from "./eudr.ts";
import type { Profile } from "./profile.ts";

/** Every profile, by name. */
export const PROFILES: readonly Profile[] = [eudr];

/** Names of the profiles. */
export const PROFILE_NAMES: readonly Profile["name"][] = PROFILES.map(({ name }) => name);

/**
 * The profile of a name; undefined of any other.
 *
 * @param name as the command line has it
 */
export function findProfile(name: string): Profile | undefined {
  return PROFILES.find((profile) => profile.name === name);
}
