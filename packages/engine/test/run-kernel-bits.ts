import { kernelBits } from "./kernel-bits.ts";

// What `npm run tool -- test-hosts` runs on every Node.

console.log(kernelBits());
