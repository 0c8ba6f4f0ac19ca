import { defineSliceTests } from "./slices.ts";

defineSliceTests("others");
