import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "./caller.ts";
import type { Outbox } from "./outbox.ts";
import type { Ticket } from "./ticket.ts";

/** What a request carries through the app. */
export interface ApiEnv {
  readonly Bindings: {
    /** The request as it arrives; absent where requests are handed to the app without a server. */
    readonly incoming?: IncomingMessage;
    /** The answer under way; absent where requests are handed to the app without a server. */
    readonly outgoing?: ServerResponse;
    /** Where answers wait for their readers; absent where requests are handed to the app without a server. */
    readonly outbox?: Outbox;
  };
  readonly Variables: {
    /** The caller's `X-Request-Id`, or one that was minted here. */
    requestId: string;
    /** What every answer to this request carries, whatever else it says. */
    common: CommonHeaders;
    /** The route's template; unset where no route was found. */
    route: string | undefined;
    /** Set by the authentication gate. */
    caller: Caller;
    /** Set by the load gate. */
    ticket: Ticket;
    /** What became of a billable request, for logs and metrics. */
    outcome: BillableOutcome | undefined;
    /** Code of the problem it was refused with. */
    code: string | undefined;
  };
}

/** Headers of every answer to a request: its id, and what lets pages of other origins read it. */
export interface CommonHeaders {
  readonly "X-Request-Id": string;
  /** On top of what the answer itself depends on. */
  readonly Vary?: string;
  readonly "Access-Control-Allow-Origin"?: string;
  readonly "Access-Control-Expose-Headers"?: string;
}

export type BillableOutcome = "charged" | "replayed" | "uncharged" | "explained" | "abandoned";
