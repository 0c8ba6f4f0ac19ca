import type { Profile } from "./profile.ts";

const API = "EU information system, Operator API Reference v1.0 (29 May 2026)";
const REGULATION = "Regulation (EU) 2023/1115";

/**
 * Requirements of the EU's information system for statements under Regulation (EU) 2023/1115. Sections are those of
 * the Operator API Reference v1.0 of 29 May 2026 with its GeoJSON description v1.3.
 */
export const eudr: Profile = {
  name: "eudr",
  title: "EU information system for deforestation-free products",
  decimals: 6,
  members: [
    { name: "ProducerName", type: "string", isExpected: true, source: `${API} §9.3, §9.5` },
    { name: "ProducerCountry", type: "country", isExpected: true, source: `${API} §9.3, §9.5` },
    { name: "ProductionPlace", type: "string", isExpected: false, source: `${API} §9.5` },
    { name: "Area", type: "number", isExpected: false, source: `${API} §9.5, §10.3` },
  ],
  assumedPointHectares: 4,
  greatestPointHectares: 4,
  commoditiesOfAnyPoint: ["cattle"],
  leastHectares: 0.0001,
  takesHoles: false,
  takesCollections: true,
  greatestFileBytes: 25 * 1000 * 1000,
  greatestCommodityCount: 100,
  sources: {
    geometry: `${API} §9.2`,
    rings: `${API} §9.5`,
    holes: `${API} §9.2 (unsupported) and §9.5 no. 15 (only outer boundaries count)`,
    cut: `${API} §9.4 note 1`,
    decimals: `${REGULATION} art. 2(28)`,
    point: `${API} §10.3 and DdsProducerType; ${REGULATION} art. 2(28)`,
    area: `${API} §9.5 nos. 9, 12, 14`,
    members: `${API} §9.5 nos. 9, 12, 14`,
    file: `${API} §2.3, §10.3`,
  },
};
