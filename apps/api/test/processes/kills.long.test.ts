import { defineSliceTests } from "../slices.ts";

defineSliceTests("kills");
