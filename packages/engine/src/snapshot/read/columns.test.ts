import { describeChecks } from "../../../test/snapshot-checks.ts";

describeChecks("columns.ts");
