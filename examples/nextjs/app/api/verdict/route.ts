import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EngineError, openEngine } from "@groundrule/engine";

// Opened once a server process; the files lie where the application starts.
const engine = openEngine([readFileSync(join(process.cwd(), "data/parks.snapshot"))]);
const policy = engine.compile(readFileSync(join(process.cwd(), "data/ruleset.json"), "utf8"));

/** `POST /api/verdict` with `{"geometry": …}`. */
export async function POST(request: Request): Promise<Response> {
  try {
    const input = await request.json();
    return Response.json(policy.evaluate(input, { now: new Date().toISOString() }));
  } catch (error) {
    if (error instanceof SyntaxError) return Response.json({ code: "JSON_MALFORMED" }, { status: 400 });
    if (!(error instanceof EngineError)) throw error;
    const { code, message, details } = error;
    return Response.json({ code, message, faults: details.faults }, { status: 422 });
  }
}
