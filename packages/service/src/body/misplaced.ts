import { isObject, parseWholeJson } from "@groundrule/engine/internal/json";
import type { BodyResult, BodyTask } from "../task/body-task.ts";
import { faultsRefusal } from "../task/refusal.ts";
import { toBytes } from "./sent-bytes.ts";

/** Unknown members that show that a body, or its input, is what it should hold. */
const TELLING = /^(\/input)?\/(?:type|checks)$/;

const GEOJSON = /^(?:Feature|(?:Feature|Geometry)Collection|(?:Multi)?(?:Point|LineString|Polygon))$/;

/**
 * Improves the refusal of a body, or of its input, that is a GeoJSON object or a ruleset itself: it then states where that
 * belongs in place of a fault for each of its members. Any other result stays as it is.
 */
export function explainMisplacedBody(result: BodyResult, task: Pick<BodyTask, "body" | "route">): BodyResult {
  if (result.kind !== "refused") return result;
  const { errors: faults = [] } = result.refusal;
  const telling = faults.find(({ code, pointer }) => code === "UNKNOWN_MEMBER" && TELLING.test(pointer));
  if (telling === undefined) return result;
  const [, pointer = ""] = TELLING.exec(telling.pointer) ?? [];
  const value = parseWholeJson(toBytes(task.body).toString("utf8")); // undefined for lines of plots
  const misplaced = pointer === "" || !isObject(value) ? value : value.input;
  if (!isObject(misplaced)) return result;
  const kind = Array.isArray(misplaced.checks) ? "ruleset" : String(misplaced.type);
  const holder = describeExpectedHolder(kind, pointer, task.route);
  if (holder === undefined) return result;
  const message = `found a ${kind}, expected an object that holds it: ${holder}`;
  const others = faults.filter(({ code }) => code !== "UNKNOWN_MEMBER");
  const {
    code,
    message: detail,
    errors,
    details,
  } = faultsRefusal([{ pointer, code: "INVALID_TYPE", message }, ...others], "body");
  return { kind: "refused", refusal: { code, message: detail, errors, details } };
}

/** An object that holds a value of a kind as the route expects it; undefined where it expects none. */
function describeExpectedHolder(kind: string, pointer: string, route: string): string | undefined {
  const takesPlots = route === "/v1/jobs" || route === "/v1/validate";
  if (kind === "ruleset") {
    return pointer === "" && (takesPlots || route === "/v1/evaluate") ? '{"ruleset": …}' : undefined;
  }
  if (!GEOJSON.test(kind)) return undefined;
  if (kind === "FeatureCollection" && takesPlots) return '{"plots": …}';
  if (route === "/v1/validate") return '{"geometry": …}';
  if (route === "/v1/jobs") return '{"plots": {"type": "FeatureCollection", "features": […]}}';
  if (!/^\/v1\/(?:evaluate|intersections|distance)$/.test(route)) return undefined;
  const holder = pointer === "" ? '{"input": {"geometry": …}}' : '{"geometry": …}';
  if (kind !== "FeatureCollection") return holder;
  // Jobs evaluate a ruleset: they answer no other question.
  return route === "/v1/evaluate"
    ? `${holder}, one plot; POST /v1/jobs takes many`
    : `${holder}, one plot a request`;
}
