import type { ErrorCode } from "@groundrule/contract";
import { Refusal, type RefusalExtras } from "@groundrule/service";

/** A refusal whose problem document has more than the usual members. */
export class HttpRefusal extends Refusal {
  override readonly name = "HttpRefusal";
  readonly headers: Readonly<Record<string, string>>;
  /** Members that the code adds to the problem's body. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, detail: string, { headers = {}, members = {}, ...extras }: HttpRefusalExtras) {
    super(code, detail, extras);
    this.headers = headers;
    this.members = members;
  }
}

export interface HttpRefusalExtras extends RefusalExtras {
  readonly headers?: Readonly<Record<string, string>>;
  readonly members?: Readonly<Record<string, unknown>>;
}
