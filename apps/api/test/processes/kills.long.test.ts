import { testSlices } from "../slices.ts";

testSlices("kills");
