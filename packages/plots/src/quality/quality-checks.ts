import { findFirstPosition } from "../check/check-area.ts";
import type { QualityChecks } from "../check/check-options.ts";
import { checkPlausibleSize } from "./check-plausible-size.ts";
import { checkRingShapes } from "./check-shape.ts";
import { ProducerGroups } from "./producer-groups.ts";

/** The checks of the profile `quality`, with the bounds of `QUALITY`; passed in, so that nothing else loads them. */
export const qualityChecks: QualityChecks = {
  start: () => {
    const producers = new ProducerGroups();
    return {
      check: (plot, geometries, options, findings) => {
        checkRingShapes(geometries, findings);
        checkPlausibleSize(plot.properties, geometries, options, findings);
        producers.add(plot, findFirstPosition(geometries), options.countries?.iso3Of);
      },
      finish: () => [...producers.findings()],
    };
  },
};
