import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "./caller.ts";
import type { Outbox } from "./outbox.ts";
import type { Ticket } from "./ticket.ts";

/** Variables that a request carries through the app. */
export interface ApiEnv {
  readonly Bindings: {
    /** The incoming request; absent if the app is called without a server. */
    readonly incoming?: IncomingMessage;
    /** The outgoing answer; absent if the app is called without a server. */
    readonly outgoing?: ServerResponse;
    /** Accounts for answers that wait for their readers; absent if the app is called without a server. */
    readonly outbox?: Outbox;
  };
  readonly Variables: {
    /** The caller's `X-Request-Id`, or one minted here. */
    requestId: string;
    /** Headers of every answer to this request. */
    common: CommonHeaders;
    /** The route's template; unset if no route matched. */
    route: string | undefined;
    /** Set by the authentication gate. */
    caller: Caller;
    /** Set by the load gate. */
    ticket: Ticket;
    /** The outcome of a billable request, for logs and metrics. */
    outcome: BillableOutcome | undefined;
    /** Code of the problem, for a refused request. */
    code: string | undefined;
    /** A remark for the operator, for logs. */
    note: string | undefined;
  };
}

/** Headers of every answer to a request: its id, and the CORS headers. */
export interface CommonHeaders {
  readonly "X-Request-Id": string;
  /** In addition to the answer's own `Vary`. */
  readonly Vary?: string;
  readonly "Access-Control-Allow-Origin"?: string;
  readonly "Access-Control-Expose-Headers"?: string;
}

export type BillableOutcome = "charged" | "replayed" | "uncharged" | "explained" | "abandoned";
