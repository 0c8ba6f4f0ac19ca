import { isObject } from "@groundrule/engine/internal/json";
import type { BodyTask } from "../task/body-task.ts";
import { faultsRefusal, type Refusal } from "../task/refusal.ts";
import { toBytes } from "./sent-bytes.ts";

/** Unknown members that show that a body, or its input, is what it should hold. */
const TELLING = /^(\/input)?\/(?:type|checks)$/;

const GEOJSON = /^(?:Feature|(?:Feature|Geometry)Collection|(?:Multi)?(?:Point|LineString|Polygon))$/;

/**
 * The refusal of a body, or of its input, that is a GeoJSON object or a ruleset itself: it states where that belongs in
 * place of a fault for each of its members. Any other refusal stays as it is.
 */
export function explainMisplaced(refusal: Refusal, task: Pick<BodyTask, "body" | "route">): Refusal {
  const telling = refusal.errors.find(({ code, pointer }) => code === "UNKNOWN_MEMBER" && TELLING.test(pointer));
  if (telling === undefined) return refusal;
  const [, pointer = ""] = TELLING.exec(telling.pointer) ?? [];
  const value: unknown = JSON.parse(toBytes(task.body).toString("utf8").replace(/^\ufeff/, ""));
  const held = pointer === "" ? value : (value as { readonly input: unknown }).input;
  if (!isObject(held)) return refusal;
  const kind = Array.isArray(held.checks) ? "ruleset" : String(held.type);
  const holder = findHolder(kind, pointer, task.route);
  if (holder === undefined) return refusal;
  const message = `found a ${kind}, expected an object that holds it: ${holder}`;
  const others = refusal.errors.filter(({ code }) => code !== "UNKNOWN_MEMBER");
  return faultsRefusal([{ pointer, code: "INVALID_TYPE", message }, ...others], "body");
}

/** An object that holds a value of a kind as the route expects it; undefined where it expects none. */
function findHolder(kind: string, pointer: string, route: string): string | undefined {
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
  return kind === "FeatureCollection" ? `${holder}, one plot; POST /v1/jobs takes many` : holder;
}
