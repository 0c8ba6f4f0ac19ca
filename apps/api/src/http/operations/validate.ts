import { JSON_TYPE } from "@groundrule/contract";
import { VALIDATE_PATH } from "@groundrule/service";
import type { Handler } from "hono";
import type { ApiEnv } from "../exchange/env.ts";
import { type BodyContext, callOf, expected } from "../exchange/request/request-parts.ts";
import { respond } from "../exchange/respond.ts";

/** `POST /v1/validate`: whether a geometry or a ruleset would be taken. */
export function validateHandler(context: BodyContext): Handler<ApiEnv> {
  return async (c) => {
    const call = await callOf(c, context, { route: VALIDATE_PATH, mediaTypes: [JSON_TYPE] });
    const told = expected("told", await context.engine.answer({ ...call, step: "answer", query: {} }));
    return respond(c, told.json, 200, { "Content-Type": JSON_TYPE });
  };
}
