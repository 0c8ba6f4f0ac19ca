import { hashKernelBits } from "./kernel-bits.ts";

// The program that `npm run tool -- identity` runs on every Node.

console.log(hashKernelBits());
