import { describeChecks } from "../../../test/snapshot-checks.ts";

describeChecks("areas.ts");
