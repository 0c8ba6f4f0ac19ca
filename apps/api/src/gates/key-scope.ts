/** What an API key may be used for. Sources and validation take any key. */
export const KEY_SCOPES = ["evaluate", "discover", "catalog:read", "catalog:write", "usage:read"] as const;

export type KeyScope = (typeof KEY_SCOPES)[number];
