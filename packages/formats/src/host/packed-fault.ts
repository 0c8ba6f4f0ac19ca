/** Fault of a packed stream, in the words of the library that unpacks it. */
export class PackedFault extends Error {}
