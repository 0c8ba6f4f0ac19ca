import { testSlices } from "./slices.ts";

testSlices("others");
