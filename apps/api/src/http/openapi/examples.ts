import { readFileSync } from "node:fs";
import type { Json } from "./json.ts";

// Examples of the description. They are answered on the data of `npm run demo`; `npm run tool -- write-openapi-examples`
// asks them there and writes the answers down.

/** A plot of the demo, whose owner is on its list of sanctions. */
const PLOT = {
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
/** The land that the plot is part of. */
const PROPERTY = {
  type: "Polygon",
  coordinates: [
    [
      [-59.65, -10.6],
      [-59.57, -10.6],
      [-59.57, -10.51],
      [-59.65, -10.51],
      [-59.65, -10.6],
    ],
  ],
};
/** Within the plot, where the sources of the demo speak. */
const POINT = { type: "Point", coordinates: [-59.6063, -10.5541] };
/** In Ghana, where they do not. */
const UNCOVERED_PLOT = {
  type: "Polygon",
  coordinates: [
    [
      [-1.5, 6.5],
      [-1.49, 6.5],
      [-1.49, 6.51],
      [-1.5, 6.51],
      [-1.5, 6.5],
    ],
  ],
};
const OWNER = { type: "br:cnpj", value: "78.018.459/0001-00" };

const RULESET = {
  sets: {
    protected: { sources: ["demo:protected"] },
    listed: { registers: ["demo:sanctions"] },
  },
  checks: [
    {
      id: "protected-overlap",
      title: "Overlaps a protected area or indigenous land",
      set: "protected",
      measure: "overlap_ratio",
      op: ">",
      value: 0.001,
      outcome: "NON_COMPLIANT",
    },
    { id: "listed-owner", title: "Owner on a sanctions register", set: "listed", outcome: "NON_COMPLIANT" },
  ],
};

/** It asks for what only the applicant knows, and measures the property that the plot is part of. */
const ASKING_RULESET = {
  facts: {
    modules: {
      type: "number",
      unit: "fiscal modules",
      min: 0,
      question: { en: "How many fiscal modules is the property?" },
    },
    permit: { type: "document", question: { en: "Which permit is there to clear land?" } },
  },
  sets: { protected: { sources: ["demo:protected"] } },
  checks: [
    {
      id: "large-without-permit",
      all: [
        { set: "protected", measure: "overlap_ratio", on: "property", op: ">", value: 0.05 },
        { fact: "modules", op: ">", value: 4 },
        { fact: "permit", op: "not_valid" },
      ],
      outcome: "NON_COMPLIANT",
    },
  ],
};

interface RequestExample {
  readonly summary: string;
  readonly value: Json;
}

/** Bodies by operation and by name, in an order in which each is taken: what is asked for is made before. */
export const REQUEST_EXAMPLES: Readonly<Record<string, Readonly<Record<string, RequestExample>>>> = {
  createRuleset: {
    forestPlots: {
      summary: "The next free version of a ruleset",
      value: {
        name: "forest-plots",
        description: "No overlap with protected areas, and no owner on a sanctions list.",
        ...RULESET,
      },
    },
  },
  evaluate: {
    inline: {
      summary: "A ruleset sent inline",
      value: {
        input: { geometry: PLOT, scheme: { ...OWNER, role: "owner" } },
        ruleset: RULESET,
        reference_id: "plot-1",
      },
    },
    saved: {
      summary: "A version of a saved ruleset",
      value: { input: { geometry: PLOT, scheme: OWNER }, ruleset_id: "forest-plots@1" },
    },
    point: {
      summary: "A point with the four hectares around it",
      value: {
        input: { geometry: POINT, area_ha: 4, country_iso3: "BRA", scheme: OWNER },
        ruleset_id: "forest-plots@1",
      },
    },
    declared: {
      summary: "Facts that the applicant declares, and the property that the plot is part of",
      value: {
        input: {
          geometry: PLOT,
          property: PROPERTY,
          facts: {
            modules: 6.5,
            permit: {
              id: "ASV-2024-17",
              issuer: "SEMA-MT",
              issued_on: "2024-03-01",
              valid_until: "2029-02-28",
            },
          },
        },
        ruleset: ASKING_RULESET,
      },
    },
    notCovered: {
      summary: "A plot that the sources do not cover: its checks are open",
      value: {
        input: { geometry: UNCOVERED_PLOT, scheme: OWNER },
        ruleset_id: "forest-plots@1",
        options: { strict_coverage: true },
      },
    },
  },
  intersections: {
    everySource: { summary: "Every source", value: { input: { geometry: PLOT } } },
    oneSource: {
      summary: "One source, one country",
      value: {
        input: { geometry: PLOT, crs: "OGC:CRS84" },
        reference_areas_source: "demo:indigenous",
        reference_areas_country_iso3: "BRA",
        reference_id: "plot-1",
      },
    },
  },
  distance: {
    within: {
      summary: "Parks within ten kilometres",
      value: { input: { geometry: PLOT, max_distance_m: 10_000 }, reference_areas_source: "demo:parks" },
    },
  },
  subjects: {
    equals: { summary: "One identifier", value: { input: { scheme: OWNER } } },
    malformed: {
      summary: "One whose leading zero a spreadsheet dropped",
      value: { input: { scheme: { type: "br:cnpj", value: "6990590000123" } } },
    },
    ilike: {
      summary: "Every branch of a company",
      value: {
        input: { scheme: { type: "br:cnpj", value: "78018459%" } },
        match_op: "ilike",
        subject_source: "demo:sanctions",
      },
    },
  },
  createJob: {
    collection: {
      summary: "Two plots, the second of them a point",
      value: {
        ruleset_id: "forest-plots@1",
        plots: {
          type: "FeatureCollection",
          features: [
            { type: "Feature", id: "a-1", geometry: PLOT, properties: { scheme: OWNER } },
            { type: "Feature", id: "a-2", geometry: POINT, properties: { scheme: OWNER, Area: 4 } },
          ],
        },
        reference_id: "harvest-2026",
      },
    },
  },
  validate: {
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
};

/** Answers to the first example of each operation, as the demo gave them. */
export const RESPONSE_EXAMPLES: Readonly<Record<string, unknown>> = JSON.parse(
  readFileSync(new URL("./response-examples.json", import.meta.url), "utf8"),
);
