type Given<Members> = { [Key in keyof Members]?: Exclude<Members[Key], undefined> };

/** The members that have a value: an absent option is left out, not undefined. */
export function given<Members extends object>(members: Members): Given<Members> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Given<Members>;
}
