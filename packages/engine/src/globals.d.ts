// The two host classes the engine uses; every JavaScript host of today has them (WHATWG Encoding).

declare class TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>;
}

declare class TextDecoder {
  constructor(label: "utf-8", options: { readonly ignoreBOM: boolean });
  decode(bytes?: Uint8Array): string;
}
