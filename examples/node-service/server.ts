// Answers POSTed plots with a verdict: node server.ts DATA_FOLDER RULESET [PORT]
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { EngineError } from "@groundrule/engine";
import { openData } from "@groundrule/node";

const [dataFolder = ".groundrule", rulesetFile = "ruleset.json", port = "3000"] = process.argv.slice(2);

const data = openData(dataFolder);
const policy = data.compile(readFileSync(rulesetFile, "utf8"));

const server = createServer((request, response) => void answer(request, response));
server.listen(Number(port), () => console.log(server.address()));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const input = JSON.parse(await text(request));
    send(response, 200, policy.evaluate(input, { now: new Date().toISOString() }));
  } catch (error) {
    if (error instanceof SyntaxError) send(response, 400, { code: "JSON_MALFORMED", message: error.message });
    else if (error instanceof EngineError) {
      send(response, 422, { code: error.code, message: error.message, faults: error.details.faults });
    } else send(response, 500, { code: "INTERNAL", message: "the evaluation failed" });
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
