import { escapePointerToken } from "@groundrule/engine/internal/json";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/**
 * Holds values to schemas of an OpenAPI document.
 *
 * @returns what is wrong with a value, or undefined; `path` leads from the document's root to the schema
 */
export function createSchemaValidator(
  document: object,
): (path: readonly (string | number)[], value: unknown) => string | undefined {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    formats: { date: true, "date-time": DATE_TIME },
  });
  ajv.addSchema(document, "document");
  const compiled = new Map<string, ValidateFunction>();
  return (path, value) => {
    const pointer = path.map((key) => `/${encodeURIComponent(escapePointerToken(String(key)))}`).join("");
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` });
    compiled.set(pointer, validate);
    return validate(value) ? undefined : ajv.errorsText(validate.errors);
  };
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
