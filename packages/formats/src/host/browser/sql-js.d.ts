/** The part of sql.js that is used; it has no types of its own. */
declare module "sql.js" {
  export interface Statement {
    step(): boolean;
    get(params: null, config: { readonly useBigInt: boolean }): unknown[];
    getAsObject(): Record<string, unknown>;
    free(): boolean;
  }

  export interface Database {
    exec(sql: string): unknown;
    prepare(sql: string): Statement;
    close(): void;
  }

  export interface SqlJsStatic {
    readonly Database: new (bytes: Uint8Array) => Database;
  }

  const initialize: (options: { readonly wasmBinary: ArrayBuffer }) => Promise<SqlJsStatic>;
  export default initialize;
}
