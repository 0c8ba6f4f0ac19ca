/** The permissions of a key: `evaluate`; the three discovery endpoints; catalog; usage and decisions. */
export const KEY_SCOPES = ["evaluate", "discover", "catalog:read", "catalog:write", "usage:read"] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];
