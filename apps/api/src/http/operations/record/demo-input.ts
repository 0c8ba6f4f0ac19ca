// Values for examples of requests, on the data of `npm run demo`.

/** A plot of the demo, whose owner is on its list of sanctions. */
export const PLOT: object = {
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
export const PROPERTY: object = {
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
/** Within the plot, where the sources of the demo have coverage. */
export const POINT: object = { type: "Point", coordinates: [-59.6063, -10.5541] };
/** In Ghana, where they have none. */
export const UNCOVERED_PLOT: object = {
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
/** The company behind it. */
export const OWNER: object = { type: "br:cnpj", value: "78.018.459/0001-00" };

export const RULESET: object = {
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

/** Needs facts that only the applicant knows, and measures the property that the plot is part of. */
export const ASKING_RULESET: object = {
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
