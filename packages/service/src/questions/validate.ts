import {
  type InvalidGeometry,
  type ValidateRequest,
  type ValidateResponse,
  type ValidGeometry,
  validateRequestSchema,
} from "@groundrule/contract";
import {
  type Engine,
  EngineError,
  type EvaluationInput,
  type GeometryInput,
  type Warning,
} from "@groundrule/engine";
import { explainInput } from "@groundrule/engine/internal";
import { explainQuestion, lintRuleset, type Plan } from "@groundrule/engine/rulesets";
import { checkBody } from "../body/parse-body.ts";
import type { BodyResult } from "../task/body-task.ts";
import type { Call } from "./question.ts";
import { validatePlots } from "./validate-plots.ts";

/** The route that validates geometries, plots and rulesets. */
export const VALIDATE_PATH = "/v1/validate";

/**
 * `POST /v1/validate`: checks if a geometry or a ruleset would be accepted, and finds the faults of plots. Queries no
 * source and costs nothing.
 */
export function validate(
  value: unknown,
  { engine, host }: Pick<Call<string>, "engine" | "host">,
): BodyResult {
  const request = checkBody(validateRequestSchema, value);
  const { plots } = request;
  const response: ValidateResponse = {
    data: {
      geometry: request.geometry === undefined ? null : validateGeometry(engine, request.geometry, request),
      plots: plots === undefined ? null : validatePlots({ ...request, plots }, host),
      ruleset: request.ruleset === undefined ? null : validateRuleset(engine, request.ruleset),
    },
  };
  return { kind: "told", json: JSON.stringify(response) };
}

/** Prepares the plot for a question without sources, and stops there. */
function validateGeometry(
  engine: Engine,
  geometry: GeometryInput,
  { crs, area_ha }: ValidateRequest,
): ValidGeometry | InvalidGeometry {
  try {
    return area_ha === undefined
      ? readValidGeometry(engine, geometry, crs)
      : readValidPoints(engine, { geometry, area_ha, ...(crs !== undefined && { crs }) });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { code, message } = error;
    const { faults, ...details } = error.details;
    if (area_ha !== undefined && faults !== undefined) {
      return { valid: false, code, errors: [...faults], details }; // their pointers are those of an input
    }
    if (code === "CRS_UNKNOWN" && faults === undefined) {
      return { valid: false, code, errors: [{ pointer: "/crs", code, message }], details };
    }
    return {
      valid: false,
      code,
      errors: prefixGeometryPointers(faults ?? [{ pointer: "", code, message }]),
      details,
    };
  }
}

/** Reads a geometry like the questions about areas, which accept every kind. */
function readValidGeometry(engine: Engine, geometry: GeometryInput, crs: string | undefined): ValidGeometry {
  const options = { ...(crs !== undefined && { crs }), sources: [] };
  const { plan, warnings } = explainQuestion(engine, { ask: "intersections", geometry, options });
  const geometryWarnings = prefixGeometryPointers(warnings);
  if (plan.input.geometry?.dimension === "point") {
    const message =
      "points are judged only with area_ha, the hectares around each; without it they can be asked about for intersections and distances";
    geometryWarnings.push({ pointer: "/geometry", code: "POINT_WITHOUT_AREA", message });
  }
  return toValidGeometry(plan.input, geometryWarnings);
}

/** Reads points with an area like an evaluation does. */
function readValidPoints(engine: Engine, evaluationInput: EvaluationInput): ValidGeometry {
  const { input, warnings } = explainInput(engine, evaluationInput);
  return toValidGeometry(input, warnings);
}

function toValidGeometry({ geometry: plot }: Plan["input"], warnings: readonly Warning[]): ValidGeometry {
  if (plot === null) throw new Error("a geometry was read without describing it");
  return { valid: true, position_count: plot.position_count, bbox: plot.bbox, warnings };
}

function validateRuleset(engine: Engine, ruleset: object): NonNullable<ValidateResponse["data"]["ruleset"]> {
  const found = lintRuleset(engine, ruleset);
  const lint = found.map((finding) => ({ ...finding, pointer: `/ruleset${finding.pointer}` }));
  return { valid: lint.every(({ severity }) => severity !== "error"), lint };
}

function prefixGeometryPointers<Placed extends { readonly pointer: string }>(
  placed: readonly Placed[],
): Placed[] {
  return placed.map((item) => ({ ...item, pointer: `/geometry${item.pointer}` }));
}
