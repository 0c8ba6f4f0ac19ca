// The host classes that pack a workbook; every JavaScript host of today has them (WHATWG Encoding, Compression, Fetch).

declare class TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>;
}

interface ByteStream {
  pipeThrough(transform: CompressionStream): ByteStream;
}

declare class CompressionStream {
  constructor(format: "deflate-raw");
  readonly readable: ByteStream;
}

declare class Blob {
  constructor(parts: readonly Uint8Array<ArrayBuffer>[]);
  stream(): ByteStream;
  arrayBuffer(): Promise<ArrayBuffer>;
}

declare class Response {
  constructor(body: ByteStream);
  arrayBuffer(): Promise<ArrayBuffer>;
}
