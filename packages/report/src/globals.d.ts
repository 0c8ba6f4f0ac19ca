// The host classes that write workbooks; every JavaScript host of today has them (WHATWG Encoding, Compression, Streams).

declare class TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>;
}

declare class CompressionStream {
  constructor(format: "deflate-raw");
  readonly readable: {
    getReader(): {
      read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array<ArrayBuffer> }>;
      cancel(reason?: unknown): Promise<void>;
    };
  };
  readonly writable: {
    getWriter(): {
      write(chunk: Uint8Array): Promise<void>;
      close(): Promise<void>;
      abort(reason?: unknown): Promise<void>;
    };
  };
}
