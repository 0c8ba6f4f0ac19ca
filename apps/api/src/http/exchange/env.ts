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
    /** `X-Request-Id`: the caller's, or minted here. */
    requestId: string;
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

export type BillableOutcome = "charged" | "replayed" | "uncharged" | "explained" | "abandoned";
