import { kernelBits } from "./kernel-bits.ts";

// The program that `npm run tool -- test-hosts` runs on every Node.

console.log(kernelBits());
