/** Requirements on the final message of a run. */
export interface OutputOptions {
  /** JSON Schema of the final message, of draft 2020-12 unless `$schema` names an older one. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Maximum number of times that the engine is asked again for a valid final message. Default: 2. */
  readonly repairs?: number | undefined;
}

/** Default number of times that the engine is asked again for a valid final message. */
export const DEFAULT_REPAIRS = 2;
