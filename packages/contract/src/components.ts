import type * as z from "zod";
import { countrySchema } from "./country.ts";
import {
  geometrySchema,
  plotFeatureSchema,
  plotSchema,
  propertySchema,
  roleSchemeSchema,
  schemeSchema,
} from "./members.ts";
import { inlineRulesetSchema, rulesetChecksSchema, rulesetSetsSchema } from "./rulesets.ts";

type Components = Readonly<Record<string, z.ZodType>>;

/** Parts of requests that have a name in the service's description. */
export const REQUEST_COMPONENTS: Components = {
  CountryCode: countrySchema,
  Geometry: geometrySchema,
  Plot: plotSchema,
  Property: propertySchema,
  PlotFeature: plotFeatureSchema,
  RoleScheme: roleSchemeSchema,
  Ruleset: inlineRulesetSchema,
  RulesetChecks: rulesetChecksSchema,
  RulesetSets: rulesetSetsSchema,
  Scheme: schemeSchema,
};
