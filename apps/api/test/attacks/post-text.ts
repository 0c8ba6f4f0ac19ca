import { exchangeRequest } from "../exchange.ts";

export interface Posted {
  readonly status: number;
  /** The code of a problem, else empty. */
  readonly code: string;
  readonly milliseconds: number;
}

/** Posts a text that is said to be JSON. */
export async function postJsonText(url: string, key: string, body: string): Promise<Posted> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const { status, text, milliseconds } = await exchangeRequest(url, "POST", headers, body);
  const [, code = ""] = status === 200 ? [] : (/"code":"([A-Z_]+)"/.exec(text) ?? []);
  return { status, code, milliseconds };
}
