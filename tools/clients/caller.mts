// Asks the service at the address and with the key given, by openapi-fetch with the types that openapi-typescript makes.
import createClient from "openapi-fetch";
import type { components, paths } from "./groundrule.d.ts";

type Schemas = components["schemas"];
const [baseUrl = "", key] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });

const plot: Schemas["Polygon"] = {
  type: "Polygon",
  coordinates: [
    [
      [-59.5983914, -10.5794828],
      [-59.5806128, -10.546897],
      [-59.6151191, -10.5288302],
      [-59.631538, -10.5620049],
      [-59.5983914, -10.5794828],
    ],
  ],
};
const bowTie: Schemas["Polygon"] = {
  type: "Polygon",
  coordinates: [
    [
      [0, 0],
      [1, 1],
      [1, 0],
      [0, 1],
      [0, 0],
    ],
  ],
};
const ruleset: Schemas["Ruleset"] = {
  sets: { protected: { sources: ["demo:protected"] }, listed: { registers: ["demo:sanctions"] } },
  checks: [
    {
      id: "share",
      set: "protected",
      measure: "overlap_ratio",
      op: ">",
      value: 0.001,
      outcome: "NON_COMPLIANT",
    },
    { id: "listed", set: "listed", outcome: "NON_COMPLIANT" },
  ],
};

const scheme = { type: "br:cnpj", value: "78.018.459/0001-00" };
const { data: answer } = await client.POST("/v1/evaluate", {
  body: { input: { geometry: plot, scheme }, ruleset },
});
if (answer === undefined || !("verdict" in answer.data)) throw new Error("there is no verdict");
const { verdict, checks } = answer.data;

const { data: listed } = await client.GET("/v1/decisions", { params: { query: { page_size: 1 } } });
if (typeof listed !== "object") throw new Error("there are no decisions");
const digests = listed.data.items[0]?.digests;

const { error: problem, response } = await client.POST("/v1/evaluate", {
  body: { input: { geometry: bowTie }, ruleset },
});
if (problem?.status !== 422) throw new Error(`a bow tie was answered ${response.status}`);
const code: Schemas["EvaluateProblem422"]["code"] = problem.code;
const fault = problem.errors[0];

const outcomes = checks.map(({ id, outcome, comparisons: [first] }) => `${id} ${outcome} ${first?.measure}`);
console.log(verdict, outcomes.join(", "), digests?.verdict, digests?.ruleset);
console.log(digests?.editions?.["demo:parks"]);
console.log(code, fault?.code, fault?.ring);
