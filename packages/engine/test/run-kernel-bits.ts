import { kernelBits } from "./kernel-bits.ts";

// What `npm run test:hosts` runs on every Node.

console.log(kernelBits());
