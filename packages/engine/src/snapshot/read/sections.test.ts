import { describeChecks } from "../../../test/snapshot-checks.ts";

describeChecks("sections.ts");
