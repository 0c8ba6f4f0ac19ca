import type { StoreReads, StoreWrites } from "../port/port.ts";
import type { Operation } from "../sql/operation.ts";
import { createApiKey, findApiKey, findHolder, listApiKeys, revokeApiKey, rotateApiKey } from "./api-keys.ts";
import { importRows } from "./copy-rows.ts";
import { areDecisionsIndexed, indexDecisions } from "./decision-filters.ts";
import {
  eraseDecisions,
  findDecision,
  findDecisionSeq,
  listDecisions,
  listDecisionTexts,
} from "./decisions.ts";
import { findAnswer, openGate } from "./gate.ts";
import { findViolations } from "./invariants.ts";
import { addJobPlots, beginJob, openJob } from "./jobs/create.ts";
import { cancelJob, expireJobs, shedUploads } from "./jobs/ends.ts";
import { claimJob, releaseJob, renewJob, resumeJob } from "./jobs/leases.ts";
import { noteJobLines } from "./jobs/lines.ts";
import { findJob, findJobByKey, listJobs, pausedJobs, pendingJobPlots, pinnedEditions } from "./jobs/look.ts";
import { listJobResults } from "./jobs/results.ts";
import { acknowledgeExpiry, addCounts, sweep } from "./keys-in-time.ts";
import {
  createOrganization,
  freeze,
  ledgerTotals,
  listOrganizations,
  setQuota,
  setSubscription,
  usage,
} from "./organizations.ts";
import { countRoutes } from "./route-sums.ts";
import { createRuleset, findRuleset, listRulesets, meetPublication } from "./rulesets.ts";
import { settleBatch } from "./settle.ts";
import { findStanding, noteServed, setPepper } from "./standing.ts";
import { takeUncharged } from "./uncharged.ts";

/** By name, so that a call can be sent to the thread that writes. */
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
  findStanding,
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

/** A port's methods as operations. */
type OperationsOf<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (input: infer Input) => Promise<infer Result>
    ? (input: Input) => Operation<Result>
    : never;
};
