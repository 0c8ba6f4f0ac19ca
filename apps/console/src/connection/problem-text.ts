import type { PageWords } from "@groundrule/words";
import type { AnswerProblem } from "../answering/answerer.ts";
import { figures, tongue, words } from "../languages/language.ts";
import { usage } from "../state/store.ts";

/**
 * An explanation of a problem for people, with advice; the service's own words if there are none better, and no words
 * if the page shows them elsewhere.
 */
export interface ProblemText {
  readonly title: string;
  readonly text: string;
}

type Text = { [Name in keyof PageWords]: PageWords[Name] extends string ? Name : never }[keyof PageWords];
type Known = readonly [title: Text, help?: Text];

const KEY: Known = ["problemKey", "problemKeyHelp"];
const BUSY: Known = ["problemBusy", "problemBusyHelp"];

/** Explanations by code; for one without advice, the service's message is shown below. */
const KNOWN: Readonly<Record<string, Known>> = {
  NETWORK_FAILED: ["problemNetwork", "problemNetworkHelp"],
  AUTHENTICATION_REQUIRED: KEY,
  API_KEY_INVALID: KEY,
  API_KEY_EXPIRED: KEY,
  API_KEY_REVOKED: KEY,
  SCOPE_INSUFFICIENT: ["problemScope", "problemScopeHelp"],
  SUBSCRIPTION_INACTIVE: ["problemSubscription", "problemSubscriptionHelp"],
  DATA_UNAVAILABLE: ["problemNoData", "problemNoDataHelp"],
  OVERLOADED: BUSY,
  STORAGE_UNAVAILABLE: BUSY,
  GEOMETRY_INVALID: ["problemGeometry", "problemGeometryHelp"],
  GEOMETRY_TOO_COMPLEX: ["problemTooComplex", "problemTooComplexHelp"],
  INPUT_INCOMPLETE: ["problemIncomplete"],
  VALIDATION_FAILED: ["problemData"],
  RULESET_INVALID: ["problemRuleset"],
};

export function formatProblem({ code, message, retryAfterSeconds = 1 }: AnswerProblem): ProblemText {
  const say = words.value;
  if (code === "RATE_LIMIT_EXCEEDED") {
    const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
    const wait = tongue.value.words.seconds(seconds, figures.value.plain(seconds));
    return { title: say.problemRate, text: say.problemRateHelp(wait) };
  }
  if (code === "QUOTA_EXCEEDED") {
    const end = usage.value?.periodEndsAt;
    return { title: say.problemQuota, text: say.problemQuotaHelp(end && figures.value.day(end)) };
  }
  // The missing sources are listed below the chosen ruleset.
  if (code === "SOURCE_UNKNOWN") return { title: say.problemSources, text: "" };
  const [title, help] = Object.hasOwn(KNOWN, code) ? KNOWN[code]! : (["problemOther"] as const);
  return { title: say[title], text: help === undefined ? message : say[help] };
}
