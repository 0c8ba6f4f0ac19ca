export { referenceKernel } from "./reference-kernel.ts";
