import type { ChargeRequest } from "../../src/charging/charging.ts";
import type { Gate, Store } from "../../src/store/port/port.ts";
import { asBuilt } from "./simulate.ts";
import type { Outcome, Protocol, World } from "./world.ts";

/**
 * Charging as it is often built, each with the one flaw its name says. The simulation must find
 * every one of them; one that lives means that the simulation has gone blind.
 */
export const BROKEN_PROTOCOLS: Readonly<Record<string, (world: World) => Protocol>> = {
  "checks the quota, then writes back what it computed": (world) =>
    createProtocolWithMethods(world, {
      settle: async (settlement) => {
        const before = await openKnownGate(world, settlement.scope, settlement.key);
        await world.step("gap");
        const outcome = await world.store.settle(settlement);
        if (outcome.kind === "charged") {
          setUsedUnits(
            world,
            settlement.scope.organization,
            outcome.period.no,
            before.period.used + settlement.units,
          );
        }
        return outcome;
      },
    }),

  "charges and stores the answer in two transactions": (world) =>
    createProtocolWithMethods(world, {
      settle: async (settlement) => {
        const outcome = await world.store.settle(settlement);
        if (outcome.kind !== "charged") return outcome;
        addUsedUnits(world, settlement.scope.organization, outcome.period.no, -settlement.units);
        await world.step("between two transactions");
        addUsedUnits(world, settlement.scope.organization, outcome.period.no, settlement.units);
        return outcome;
      },
    }),

  // Without the row that says a key is taken, the schema's wall behind it stands: one decision a
  // key and generation.
  "selects the key, then inserts it": (world) =>
    createProtocolWithMethods(world, {
      settle: async (settlement) => {
        const gate = await openKnownGate(world, settlement.scope, settlement.key);
        if (gate.stored !== undefined) return world.store.settle(settlement);
        await world.step("gap");
        world.meddle(
          "DELETE FROM idempotency WHERE organization = ? AND key = ?",
          settlement.scope.organization,
          settlement.key,
        );
        return world.store.settle(settlement);
      },
    }),

  "claims the key before it works, and forgets to give it back": (world) => {
    const protocol = asBuilt(world);
    const claimed = new Set<string>();
    return async (request, execute) => {
      if (request.key === null) return protocol(request, execute);
      const gate = await openKnownGate(world, request.scope, request.key);
      if (claimed.has(request.key) && gate.stored === undefined) return IN_PROGRESS;
      claimed.add(request.key);
      return protocol(request, execute);
    };
  },

  "looks at the quota before it looks for an answer to replay": (world) => {
    const protocol = asBuilt(world);
    return async (request, execute) => {
      const { period } = await openKnownGate(world, request.scope, null);
      if (period.used + (request.units ?? 1) <= period.quota) return protocol(request, execute);
      return {
        kind: "refused",
        code: "QUOTA_EXCEEDED",
        message: "",
        details: {
          limit: period.quota,
          used: period.used,
          period_started_at: new Date(period.startsAtMs).toISOString(),
          period_ends_at: new Date(period.endsAtMs).toISOString(),
        },
      };
    };
  },

  "does not compare fingerprints": (world) => {
    const protocol = asBuilt(world);
    return (request, execute) => protocol({ ...request, fingerprint: "any" }, execute);
  },

  "forgets keys when they expire": (world) =>
    createProtocolWithMethods(world, {
      openGate: async (question) => {
        world.meddle("DELETE FROM idempotency WHERE expires_at_ms <= ?", world.clock.ms);
        return world.store.openGate(question);
      },
    }),

  "has no acknowledgement window": (world) =>
    createProtocolWithMethods(world, {
      acknowledgeExpiry: (input) => world.store.acknowledgeExpiry({ ...input, windowMs: 0 }),
    }),

  "charges before it executes": (world) => {
    const protocol = asBuilt(world);
    return async (request, execute) => {
      const outcome = await protocol(request, async () => ({
        kind: "complete",
        request: "{}",
        response: "pending",
        mediaType: "application/json",
        digests: "{}",
        referenceId: null,
      }));
      if (outcome.kind !== "charged") return outcome;
      const execution = await execute();
      if (execution.kind === "uncharged")
        return { kind: "uncharged", answer: execution.answer, period: outcome.period };
      return { ...outcome, response: execution.response };
    };
  },

  "charges what degraded": (world) => {
    const protocol = asBuilt(world);
    return (request, execute) =>
      protocol(request, async () => {
        const execution = await execute();
        if (execution.kind === "complete") return execution;
        return {
          kind: "complete",
          request: "{}",
          response: "degraded",
          mediaType: "application/json",
          digests: "{}",
          referenceId: null,
        };
      });
  },

  "answers before the commit": (world) =>
    createProtocolWithMethods(world, {
      settle: async (settlement) => {
        const gate = await openKnownGate(world, settlement.scope, settlement.key);
        if (gate.stored !== undefined) return world.store.settle(settlement);
        void world.store.settle(settlement);
        const settledAtMs = world.clock.ms;
        return {
          kind: "charged",
          charge: { seq: 0, generation: 1, settledAtMs, expiresAtMs: settledAtMs + settlement.retentionMs },
          period: gate.period,
        };
      },
    }),

  "serves its own answer when a twin was charged": (world) =>
    createProtocolWithMethods(world, {
      settle: async (settlement) => {
        const outcome = await world.store.settle(settlement);
        if (outcome.kind !== "taken") return outcome;
        const gate = await openKnownGate(world, settlement.scope, settlement.key);
        const { settledAtMs = 0, expiresAtMs = 0 } = gate.stored ?? {};
        return {
          kind: "charged",
          charge: { seq: 0, generation: 1, settledAtMs, expiresAtMs },
          period: gate.period,
        };
      },
    }),

  "works the answer out again instead of replaying it": (world) => {
    const protocol = asBuilt(world);
    return async (request, execute) => {
      const outcome = await protocol(request, execute);
      if (outcome.kind !== "replayed") return outcome;
      const execution = await execute();
      return execution.kind === "complete" ? { ...outcome, response: execution.response } : outcome;
    };
  },

  "calls a conflict while the first request still runs": (world) => {
    const protocol = asBuilt(world);
    const running = new Map<string, ChargeRequest["fingerprint"]>();
    return async (request, execute): Promise<Outcome> => {
      const { key, fingerprint } = request;
      if (key === null) return protocol(request, execute);
      const other = running.get(key);
      if (other !== undefined && other !== fingerprint) {
        return { kind: "refused", code: "IDEMPOTENCY_KEY_CONFLICT", message: "", details: {} };
      }
      running.set(key, fingerprint);
      return protocol(request, execute).finally(() => running.delete(key));
    };
  },
};

const IN_PROGRESS: Outcome = { kind: "refused", code: "IDEMPOTENCY_IN_PROGRESS", message: "", details: {} };

/** The protocol as it is built, over a store of which some methods are others. */
function createProtocolWithMethods(world: World, methods: Partial<Store>): Protocol {
  const charging = world.charging({ ...world.store, ...methods });
  return (request, execute) => charging.charge(request, execute);
}

async function openKnownGate(
  world: World,
  scope: Parameters<Store["openGate"]>[0]["scope"],
  key: string | null,
): Promise<Gate> {
  const gate = await world.store.openGate({ scope, key });
  if (gate === undefined) throw new Error("the organization of the run is missing");
  return gate;
}

function setUsedUnits(world: World, organization: string, no: number, used: number): void {
  world.meddle("UPDATE period SET used = ? WHERE organization = ? AND no = ?", used, organization, no);
}

function addUsedUnits(world: World, organization: string, no: number, units: number): void {
  world.meddle(
    "UPDATE period SET used = used + ? WHERE organization = ? AND no = ?",
    units,
    organization,
    no,
  );
}
