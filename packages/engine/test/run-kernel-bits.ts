import { kernelBits } from "./kernel-bits.ts";

// Entry point that `npm run test:hosts` runs on every Node.

console.log(kernelBits());
