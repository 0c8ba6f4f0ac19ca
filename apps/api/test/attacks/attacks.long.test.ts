import { defineSliceTests } from "../slices.ts";

defineSliceTests("attacks");
