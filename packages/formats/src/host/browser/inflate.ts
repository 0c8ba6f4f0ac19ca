// Loaded with the first bytes that are packed.
export { Inflate } from "pako";
