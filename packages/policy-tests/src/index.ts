export {
  type ExercisedCheck,
  type ExercisedCondition,
  ExercisedPolicy,
  type Gap,
} from "./exercised-policy.ts";
export type { TestHost } from "./fixtures.ts";
export { buildPolicyTestsJsonSchema } from "./json-schema.ts";
export {
  type PreparedCase,
  type PreparedTests,
  prepareTests,
  refuseTestFile,
  type TestedRuleset,
  type TestSurroundings,
} from "./prepare-tests.ts";
export { type CaseResult, type Difference, runTestCase } from "./run-case.ts";
export {
  type CheckExpectation,
  type CheckState,
  type Expectation,
  type PlotFixture,
  type PolicyTests,
  parseTestFile,
  type TestCase,
  type TestFile,
  TestFileFaults,
} from "./test-file.ts";
export {
  checkYamlFile,
  type Place,
  parseYaml,
  YAML_BYTE_LIMIT,
  type YamlFault,
  type YamlFile,
  YamlFileError,
} from "./yaml-text.ts";
