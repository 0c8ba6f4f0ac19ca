import { describeChecks } from "../../../test/snapshot-checks.ts";

describeChecks("meta.ts");
