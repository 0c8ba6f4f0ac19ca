import { describeChecks } from "../../../test/snapshot-checks.ts";

describeChecks("register.ts");
