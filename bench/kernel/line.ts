export interface Missing {
  readonly missing: string;
}

export interface Options {
  readonly quick: boolean;
  readonly rounds: number;
}

export const GEOS_MISSING: Missing = {
  missing: "GEOS in C: a C compiler and libgeos_c (apt-get install -y gcc libgeos-dev)",
};
export const WASM_MISSING: Missing = { missing: "geos-wasm: an optional dependency (npm run setup)" };
