/** What is wrong with a packed stream, in the words of who unpacks it. */
export class PackedFault extends Error {}
