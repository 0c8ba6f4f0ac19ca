import type { Caller } from "./gates/authenticate.ts";

/** What a request carries through the app. */
export interface ApiEnv {
  readonly Variables: {
    /** `X-Request-Id`: the caller's, or minted here. */
    requestId: string;
    /** Set by the authentication gate. */
    caller: Caller;
  };
}
