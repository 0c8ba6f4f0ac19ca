import {
  type InvalidGeometry,
  type ValidateRequest,
  type ValidateResponse,
  type ValidGeometry,
  validateRequestSchema,
} from "@groundrule/contract";
import { type Engine, EngineError, type GeometryInput } from "@groundrule/engine";
import { explainQuestion, lintRuleset } from "@groundrule/engine/rulesets";
import { checkBody } from "../body/parse-body.ts";
import type { BodyResult } from "../task/body-task.ts";
import type { Call } from "./question.ts";

/** The route that validates geometries and rulesets. */
export const VALIDATE_PATH = "/v1/validate";

/** `POST /v1/validate`: whether a geometry or a ruleset would be accepted. Queries no source and costs nothing. */
export function validate(value: unknown, { engine }: Pick<Call<string>, "engine">): BodyResult {
  const request = checkBody(validateRequestSchema, value);
  const response: ValidateResponse = {
    data: {
      geometry: request.geometry === undefined ? null : checkGeometry(engine, request.geometry, request),
      ruleset: request.ruleset === undefined ? null : checkRuleset(engine, request.ruleset),
    },
  };
  return { kind: "told", json: JSON.stringify(response) };
}

/** Prepares the plot for a question that queries no source, and goes no further. */
function checkGeometry(
  engine: Engine,
  geometry: GeometryInput,
  { crs }: ValidateRequest,
): ValidGeometry | InvalidGeometry {
  try {
    const options = { ...(crs !== undefined && { crs }), sources: [] };
    const { plan, warnings } = explainQuestion(engine, { ask: "intersections", geometry, options });
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
    if (code === "CRS_UNKNOWN" && faults === undefined) {
      return { valid: false, code, errors: [{ pointer: "/crs", code, message }], details };
    }
    return { valid: false, code, errors: inGeometry(faults ?? [{ pointer: "", code, message }]), details };
  }
}

function checkRuleset(engine: Engine, ruleset: object): NonNullable<ValidateResponse["data"]["ruleset"]> {
  const found = lintRuleset(engine, ruleset);
  const lint = found.map((finding) => ({ ...finding, pointer: `/ruleset${finding.pointer}` }));
  return { valid: lint.every(({ severity }) => severity !== "error"), lint };
}

function inGeometry<Placed extends { readonly pointer: string }>(placed: readonly Placed[]): Placed[] {
  return placed.map((item) => ({ ...item, pointer: `/geometry${item.pointer}` }));
}
