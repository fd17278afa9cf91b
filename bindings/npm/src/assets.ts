/** Where the module and the token table come from: a host of each kind has its own way. */
export interface Assets {
  /** The engine's module, as bytes, a response or a compiled module. */
  module(): Promise<BufferSource | WebAssembly.Module | Response>;
  /** The token table's bytes. */
  model(): Promise<Uint8Array>;
}
