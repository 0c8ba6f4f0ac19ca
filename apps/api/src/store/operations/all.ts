import type { StoreReads, StoreWrites } from "../port/port.ts";
import type { Operation } from "../sql/operation.ts";
import {
  createApiKey,
  findApiKey,
  findHolder,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from "./accounts/api-keys.ts";
import { acknowledgeExpiry, addCounts, sweep } from "./accounts/keys-in-time.ts";
import {
  createOrganization,
  freeze,
  ledgerTotals,
  listOrganizations,
  setQuota,
  setSubscription,
  usage,
} from "./accounts/organizations.ts";
import { findStoreState, noteServed, setPepper } from "./accounts/store-state.ts";
import { findAnswer, openGate } from "./charges/gate.ts";
import { countRoutes } from "./charges/route-sums.ts";
import { settleBatch } from "./charges/settle.ts";
import { takeUncharged } from "./charges/uncharged.ts";
import { importRows } from "./copy-rows.ts";
import { areDecisionsIndexed, indexDecisions } from "./decision-filters.ts";
import {
  eraseDecisions,
  findDecision,
  findDecisionSeq,
  listDecisions,
  listDecisionTexts,
} from "./decisions.ts";
import { findViolations } from "./invariants.ts";
import { addJobPlots, beginJob, openJob } from "./job-rows/create.ts";
import { cancelJob, expireJobs, shedUploads } from "./job-rows/ends.ts";
import { claimJob, releaseJob, renewJob, resumeJob } from "./job-rows/leases.ts";
import { noteJobLines } from "./job-rows/lines.ts";
import {
  findJob,
  findJobByKey,
  listJobs,
  pausedJobs,
  pendingJobPlots,
  pinnedEditions,
} from "./job-rows/look.ts";
import { listJobResults } from "./job-rows/results.ts";
import { createRuleset, findRuleset, listRulesets, meetPublication } from "./rulesets.ts";

/** Operations by name, so that a call can be sent to the thread that writes. */
export const READS: OperationsOf<StoreReads> = {
  openGate,
  findAnswer,
  findDecision,
  findDecisionSeq,
  listDecisions,
  areDecisionsIndexed,
  listDecisionTexts,
  findApiKey,
  findHolder,
  listApiKeys,
  listOrganizations,
  usage,
  ledgerTotals,
  findRuleset,
  listRulesets,
  findViolations,
  findStoreState,
  findJob,
  findJobByKey,
  listJobs,
  pausedJobs,
  pendingJobPlots,
  listJobResults,
  pinnedEditions,
};

export const WRITES: OperationsOf<StoreWrites> = {
  settleBatch,
  acknowledgeExpiry,
  takeUncharged,
  addCounts,
  createOrganization,
  setSubscription,
  setQuota,
  createApiKey,
  rotateApiKey,
  revokeApiKey,
  createRuleset,
  meetPublication,
  eraseDecisions,
  indexDecisions,
  countRoutes,
  sweep,
  freeze,
  importRows,
  setPepper,
  noteServed,
  beginJob,
  addJobPlots,
  openJob,
  cancelJob,
  claimJob,
  renewJob,
  releaseJob,
  resumeJob,
  noteJobLines,
  shedUploads,
  expireJobs,
};

/** The methods of a port as operations. */
type OperationsOf<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (input: infer Input) => Promise<infer Result>
    ? (input: Input) => Operation<Result>
    : never;
};
