import type { AnswerProblem } from "../answering/answerer.ts";
import { seconds } from "../languages/figures.ts";
import { words } from "../languages/language.ts";

/**
 * What a problem means for a person, and what to do about it; the service's own words where none are better, and none
 * where the page shows it elsewhere.
 */
export interface ProblemText {
  readonly title: string;
  readonly text: string;
}

export function problemText(problem: AnswerProblem): ProblemText {
  const say = words.value;
  switch (problem.code) {
    case "NETWORK_FAILED":
      return { title: say.problemNetwork, text: say.problemNetworkHelp };
    case "AUTHENTICATION_REQUIRED":
    case "API_KEY_INVALID":
    case "API_KEY_EXPIRED":
    case "API_KEY_REVOKED":
      return { title: say.problemKey, text: say.problemKeyHelp };
    case "SCOPE_INSUFFICIENT":
      return { title: say.problemScope, text: say.problemScopeHelp };
    case "SUBSCRIPTION_INACTIVE":
      return { title: say.problemSubscription, text: say.problemSubscriptionHelp };
    case "QUOTA_EXCEEDED":
      return { title: say.problemQuota, text: say.problemQuotaHelp };
    case "RATE_LIMIT_EXCEEDED":
      return {
        title: say.problemRate,
        text: say.problemRateHelp(seconds(Math.max(1, Math.ceil(problem.retryAfterSeconds ?? 1)))),
      };
    case "OVERLOADED":
    case "STORAGE_UNAVAILABLE":
      return { title: say.problemBusy, text: say.problemBusyHelp };
    case "GEOMETRY_INVALID":
      return { title: say.problemGeometry, text: say.problemGeometryHelp };
    case "GEOMETRY_TOO_COMPLEX":
      return { title: say.problemTooComplex, text: say.problemTooComplexHelp };
    case "INPUT_INCOMPLETE":
      return { title: say.problemIncomplete, text: problem.message };
    case "VALIDATION_FAILED":
      return { title: say.problemData, text: problem.message };
    case "RULESET_INVALID":
      return { title: say.problemRuleset, text: problem.message };
    case "SOURCE_UNKNOWN":
      // Which they are stands below the chosen ruleset.
      return { title: say.problemSources, text: "" };
    default:
      return { title: say.problemOther, text: problem.message };
  }
}
