import { JSON_TYPE, validateRequestSchema, validateResponseShape } from "@groundrule/contract";
import { VALIDATE_PATH } from "@groundrule/service";
import { readBodyTask, requireResultKind } from "../exchange/request/request-parts.ts";
import { respondBody } from "../exchange/respond.ts";
import { PLOT, RULESET } from "./record/demo-input.ts";
import { defineJsonContent, defineOperation, type Operation } from "./record/operation.ts";

/** `POST /v1/validate`: whether a geometry, plots or a ruleset would be accepted. */
const validate = defineOperation({
  id: "validate",
  method: "POST",
  path: VALIDATE_PATH,
  tag: "Verdicts",
  summary: "Check whether a geometry, plots or a ruleset are valid; never billed",
  key: "any",
  room: "work",
  query: "none",
  request: {
    schema: { name: "ValidateRequest", of: validateRequestSchema },
    examples: {
      geometry: { summary: "A geometry", value: { geometry: PLOT } },
      ruleset: { summary: "A ruleset", value: { ruleset: RULESET } },
      plots: {
        summary: "Plots, as the EU information system takes them",
        value: {
          plots: {
            type: "FeatureCollection",
            features: [
              {
                type: "Feature",
                id: "a-1",
                geometry: PLOT,
                properties: { producername: "Ana", ProducerCountry: "BRA" },
              },
            ],
          },
          profile: "eudr",
        },
      },
    },
  },
  answer: { content: defineJsonContent("ValidateResponse", validateResponseShape) },
  codes: ["GEOMETRY_TOO_COMPLEX"],
  handler: (service) => async (c) => {
    const call = await readBodyTask(c, service, { route: VALIDATE_PATH, mediaTypes: [JSON_TYPE] });
    const found = requireResultKind(
      "told",
      await service.engine.answer({ ...call, step: "answer", query: {} }),
    );
    return respondBody(c, found.json, 200, { "Content-Type": JSON_TYPE });
  },
});

export const VALIDATION: readonly Operation[] = [validate];
