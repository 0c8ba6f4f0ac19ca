import {
  type InvalidGeometry,
  type Limits,
  type ValidateRequest,
  type ValidateResponse,
  type ValidGeometry,
  validateQuerySchema,
  validateRequestSchema,
} from "@groundrule/contract";
import { EngineError } from "@groundrule/engine";
import type { Handler } from "hono";
import { given } from "../answer-parts.ts";
import type { EngineHost } from "../engine-host.ts";
import type { ApiEnv } from "../env.ts";
import { engineFor, readRequest } from "../question.ts";

/** `POST /v1/validate`: whether a geometry or a ruleset would be taken. Asks no source and costs nothing. */
export function validateHandler(engine: EngineHost, limits: Limits): Handler<ApiEnv> {
  return async (c) => {
    const { request } = await readRequest(c, limits, validateRequestSchema, validateQuerySchema);
    const host = engineFor(engine, c.get("caller"));
    return c.json({
      data: {
        geometry: request.geometry === undefined ? null : await checkGeometry(host, request),
        ruleset: request.ruleset === undefined ? null : await checkRuleset(host, request.ruleset),
      },
    } satisfies ValidateResponse);
  };
}

/** Readies the plot for a question to no source at all, and looks no further. */
async function checkGeometry(
  engine: EngineHost,
  { geometry, crs }: ValidateRequest,
): Promise<ValidGeometry | InvalidGeometry> {
  try {
    const options = { ...given({ crs }), sources: [] };
    const { plan, warnings } = await engine.explain({ ask: "intersections", geometry, options });
    const plot = plan.input.geometry;
    if (plot === null) throw new Error("a geometry was explained without describing it");
    return {
      valid: true,
      position_count: plot.position_count,
      bbox: plot.bbox,
      warnings: inGeometry(warnings),
    };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { code, message } = error;
    const { faults, ...details } = error.details;
    if (code === "CRS_UNKNOWN") {
      return { valid: false, code, errors: [{ pointer: "/crs", code, message }], details };
    }
    return { valid: false, code, errors: inGeometry(faults ?? [{ pointer: "", code, message }]), details };
  }
}

async function checkRuleset(
  engine: EngineHost,
  ruleset: object,
): Promise<NonNullable<ValidateResponse["data"]["ruleset"]>> {
  const found = await engine.lint(ruleset);
  const lint = found.map((finding) => ({ ...finding, pointer: `/ruleset${finding.pointer}` }));
  return { valid: lint.every(({ severity }) => severity !== "error"), lint };
}

function inGeometry<Placed extends { readonly pointer: string }>(placed: readonly Placed[]): Placed[] {
  return placed.map((item) => ({ ...item, pointer: `/geometry${item.pointer}` }));
}
