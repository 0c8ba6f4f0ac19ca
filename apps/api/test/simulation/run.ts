import fc, { type Scheduler } from "fast-check";
import type { ChargeRequest } from "../../src/charging/charging.ts";
import type { Scope } from "../../src/ledger/scope.ts";
import { makeCompleteExecution } from "../settlement.ts";
import {
  ACKNOWLEDGEMENT_MS,
  type Execute,
  type MemoryDatabase,
  type Outcome,
  Process,
  type Protocol,
  RETENTION_MS,
  type World,
} from "./world.ts";

interface PlannedRequest {
  /** Which of two processes over one database is asked. */
  readonly replica: 0 | 1;
  readonly key: string | null;
  readonly body: "x" | "y";
  readonly units: number;
  readonly degrades: boolean;
}

type Crash = { readonly replica: 0 | 1 };

interface Scenario {
  readonly quota: number;
  readonly requests: readonly PlannedRequest[];
  /** Things that happen meanwhile: a process dies, or so many milliseconds pass. */
  readonly events: readonly (Crash | number)[];
}

export const scenarios: fc.Arbitrary<Scenario> = fc.record({
  quota: fc.integer({ min: 1, max: 3 }),
  requests: fc.array(
    fc.record({
      replica: fc.constantFrom(0 as const, 0 as const, 1 as const),
      key: fc.constantFrom("key-a", "key-a", "key-a", "key-b", null),
      body: fc.constantFrom("x" as const, "x" as const, "y" as const),
      units: fc.constantFrom(1, 1, 1, 2),
      degrades: fc.constantFrom(false, false, false, true),
    }),
    { minLength: 2, maxLength: 8 },
  ),
  events: fc.array(
    fc.constantFrom<(Crash | number)[]>(
      { replica: 0 },
      { replica: 1 },
      1,
      1_999,
      10_000,
      10_000,
      28 * 86_400_000,
    ),
    {
      maxLength: 4,
    },
  ),
});

/** A request, and what its caller came to know. */
interface Call {
  readonly planned: PlannedRequest;
  readonly request: ChargeRequest;
  /** Places on the line of what callers saw, in order. */
  readonly beganAt: number;
  endedAt: number;
  outcome: Outcome | undefined;
  error: unknown;
}

/**
 * Plays a scenario in the order a scheduler chooses, then has every caller ask again without
 * faults, and throws where anybody was charged, answered or refused as they should not have been.
 */
export async function playScenario(
  database: MemoryDatabase,
  variant: (world: World) => Protocol,
  scheduler: Scheduler,
  scenario: Scenario,
): Promise<void> {
  database.clock.ms = START_MS;
  const scope = database.newScope(scenario.quota);
  const played = new Play(database, scope, variant, scheduler);
  for (const planned of scenario.requests)
    void scheduler.schedule(Promise.resolve(), "ask").then(() => played.ask(planned));
  for (const event of scenario.events) {
    void scheduler
      .schedule(Promise.resolve(), `event ${JSON.stringify(event)}`)
      .then(() => played.happen(event));
  }
  await scheduler.waitIdle();
  await played.askAgain(scheduler, scenario.requests);
  played.check();
}

const START_MS = Date.parse("2026-01-31T00:00:00Z");

class Play {
  readonly #database: MemoryDatabase;
  readonly #scope: Scope;
  readonly #variant: (world: World) => Protocol;
  readonly #scheduler: Scheduler;
  readonly #calls: Call[] = [];
  /** Every answer that was worked out whole, by its text. */
  readonly #executed = new Map<string, PlannedRequest>();
  readonly #replicas: { process: Process; protocol: Protocol }[];
  #line = 0;

  constructor(
    database: MemoryDatabase,
    scope: Scope,
    variant: (world: World) => Protocol,
    scheduler: Scheduler,
  ) {
    this.#database = database;
    this.#scope = scope;
    this.#variant = variant;
    this.#scheduler = scheduler;
    this.#replicas = [this.#start(), this.#start()];
  }

  #start(): { process: Process; protocol: Protocol } {
    const process = new Process(this.#database, this.#scheduler);
    return { process, protocol: this.#variant(process.world()) };
  }

  ask(planned: PlannedRequest): void {
    const { process, protocol } = this.#replicas[planned.replica]!;
    const request: ChargeRequest = {
      scope: this.#scope,
      key: planned.key,
      fingerprint: `${planned.body}${planned.units}`,
      route: "/v1/evaluate",
      requestId: "req",
      units: planned.units,
    };
    const call: Call = {
      planned,
      request,
      beganAt: ++this.#line,
      endedAt: 0,
      outcome: undefined,
      error: undefined,
    };
    this.#calls.push(call);
    protocol(request, this.#execution(planned, process)).then(
      (outcome) => {
        call.endedAt = ++this.#line;
        call.outcome = outcome;
      },
      (error: unknown) => {
        call.error = error;
      },
    );
  }

  #execution(planned: PlannedRequest, { step }: Process): Execute {
    return async () => {
      await step("execute");
      if (planned.degrades) return { kind: "uncharged", answer: "degraded" };
      // No two executions give the same text, so a second one cannot pass for the first.
      const response = `${planned.body}${planned.units} ${this.#executed.size + 1}`;
      this.#executed.set(response, planned);
      return makeCompleteExecution(response);
    };
  }

  happen(event: Crash | number): void {
    if (typeof event === "number") {
      this.#database.clock.advance(event);
      for (const { process } of this.#replicas) process.wake();
    } else {
      this.#replicas[event.replica]!.process.kill();
      this.#replicas[event.replica] = this.#start();
    }
  }

  /** All callers ask again, one after the other, and nothing degrades any more. */
  async askAgain(scheduler: Scheduler, requests: readonly PlannedRequest[]): Promise<void> {
    for (const planned of requests) {
      if (planned.key === null) continue;
      this.ask({ ...planned, degrades: false });
      await scheduler.waitIdle();
      const last = this.#calls.at(-1)!;
      if (last.error !== undefined) continue;
      assertPromise(last.outcome !== undefined, "once faults have stopped, a retry ends (L1)");
      assertPromise(
        last.outcome.kind !== "refused" || last.outcome.code !== "IDEMPOTENCY_IN_PROGRESS",
        "once faults have stopped, no key is in progress (L1)",
      );
    }
  }

  check(): void {
    for (const { error } of this.#calls) if (error !== undefined) throw error;
    const [first] = this.#database.read("findViolations", {
      extent: "all",
      organization: this.#scope.organization,
    });
    assertPromise(first === undefined, `${first?.invariant}: ${first?.message}`);
    const stored = this.#stored();
    for (const call of this.#calls) this.#checkCall(call, stored);
    for (const decision of stored.values()) {
      const planned = this.#executed.get(decision.response);
      assertPromise(
        planned !== undefined && !planned.degrades,
        "only what was executed whole is charged (I8)",
      );
      assertPromise(decision.units === planned.units, "what is charged is what was asked");
      if (decision.generation > 1) this.#checkGeneration(decision, [...stored.values()]);
    }
  }

  #stored(): Map<string, StoredDecision> {
    const { items } = this.#database.read("listDecisions", { scope: this.#scope, page: 1, pageSize: 1_000 });
    return new Map(
      items.map((decision) => {
        const answer = this.#database.read("findAnswer", { scope: this.#scope, decisionId: decision.id });
        return [decision.id, { ...decision, response: answer?.response ?? "" }];
      }),
    );
  }

  #checkCall(call: Call, stored: ReadonlyMap<string, StoredDecision>): void {
    const { outcome, planned } = call;
    if (outcome === undefined) return;
    switch (outcome.kind) {
      case "charged":
      case "replayed": {
        const decision = stored.get(outcome.decisionId);
        assertPromise(decision !== undefined, "an acknowledged charge is there after any crash (I5)");
        assertPromise(
          decision.response === outcome.response,
          "all answers of one charge have the same bytes (I6)",
        );
        assertPromise(decision.key === planned.key, "an answer is that of its key");
        assertPromise(
          decision.fingerprint === call.request.fingerprint && outcome.response.startsWith(planned.body),
          "an answer is that of its request",
        );
        return;
      }
      case "uncharged":
        assertPromise(planned.degrades, "a whole answer is charged");
        return;
      case "abandoned":
        throw new Error("nobody left");
      case "refused":
        this.#checkRefusal(call, outcome, stored);
    }
  }

  #checkRefusal(
    call: Call,
    { code, details }: Extract<Outcome, { kind: "refused" }>,
    stored: ReadonlyMap<string, StoredDecision>,
  ): void {
    const named = stored.get(String(details.decision_id));
    if (code === "IDEMPOTENCY_KEY_CONFLICT" || code === "IDEMPOTENCY_REPLAY_EXPIRED") {
      assertPromise(named?.key === call.planned.key, "a key is refused only for a charge of its own");
    }
    if (code === "IDEMPOTENCY_KEY_CONFLICT") {
      assertPromise(
        named?.fingerprint !== call.request.fingerprint,
        "a key conflicts only with another request",
      );
    }
    if (code === "QUOTA_EXCEEDED") this.#checkQuotaRefusal(call, details, stored);
    assertPromise(code !== "OUTCOME_UNKNOWN" && code !== "STORAGE_UNAVAILABLE", `nothing here gives ${code}`);
  }

  #checkQuotaRefusal(
    call: Call,
    details: Readonly<Record<string, unknown>>,
    stored: ReadonlyMap<string, StoredDecision>,
  ): void {
    const { limit, used } = details as { limit: number; used: number };
    assertPromise(used + call.planned.units > limit, "a quota refuses only what does not fit (I7)");
    const startedAtMs = Date.parse(String(details.period_started_at));
    const endsAtMs = Date.parse(String(details.period_ends_at));
    let sum = 0;
    const sums = new Set([0]);
    for (const { createdAtMs, units } of [...stored.values()].sort((a, b) => a.seq - b.seq)) {
      if (createdAtMs < startedAtMs || createdAtMs >= endsAtMs) continue;
      sum += units;
      sums.add(sum);
    }
    assertPromise(sums.has(used), "a quota's use is one that was reached (I7)");
    const paid = this.#calls.find(
      (other) =>
        other.outcome?.kind === "charged" &&
        other.planned.key !== null &&
        other.planned.key === call.planned.key &&
        other.request.fingerprint === call.request.fingerprint &&
        other.endedAt < call.beganAt &&
        (other.outcome.expiresAtMs ?? 0) > this.#database.clock.ms,
    );
    assertPromise(paid === undefined, "an answer that was paid for is not hidden by an empty quota");
  }

  /** Nobody is charged again within the window in which a twin of theirs was told of the expiry. */
  #checkGeneration(decision: StoredDecision, all: readonly StoredDecision[]): void {
    const earlier = all.find(
      ({ key, generation }) => key === decision.key && generation === decision.generation - 1,
    );
    assertPromise(earlier !== undefined, "generations follow each other (I3)");
    for (const { outcome } of this.#calls) {
      if (outcome === undefined || outcome.kind !== "refused") continue;
      if (outcome.code !== "IDEMPOTENCY_REPLAY_EXPIRED" || outcome.details.decision_id !== earlier.id)
        continue;
      const reusableAtMs = Date.parse(String(outcome.details.key_reusable_at));
      assertPromise(decision.createdAtMs >= reusableAtMs, "a key is charged again only when it is reusable");
    }
    const sinceExpiryMs = decision.createdAtMs - (earlier.createdAtMs + RETENTION_MS);
    assertPromise(
      sinceExpiryMs >= ACKNOWLEDGEMENT_MS,
      "a key is charged again only after its acknowledgement window",
    );
  }
}

interface StoredDecision {
  readonly id: string;
  readonly seq: number;
  readonly units: number;
  readonly key: string | null;
  readonly generation: number;
  readonly fingerprint: string;
  readonly createdAtMs: number;
  readonly response: string;
}

function assertPromise(condition: boolean, promise: string): asserts condition {
  if (!condition) throw new Error(`broken: ${promise}`);
}
