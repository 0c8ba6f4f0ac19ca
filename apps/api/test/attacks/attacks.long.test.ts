import { testSlices } from "../slices.ts";

testSlices("attacks");
