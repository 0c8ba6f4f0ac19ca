export { FAULT_LIMIT } from "./base/errors.ts";
export { CleanScan, endOfWhitespace, IN_DOUBT } from "./base/fast/clean-json.ts";
export { isObject } from "./base/is-object.ts";
export { escapePointerToken, formatJsonPointer, parseJsonPointer } from "./base/json-pointer.ts";
export { findNearestName } from "./base/nearest-name.ts";
export {
  checkStrictJson,
  JSON_DEPTH,
  type JsonFaultCode,
  MalformedJson,
  parseStrictJson,
  parseWholeJson,
  type StrictJsonOptions,
} from "./base/strict-json.ts";
