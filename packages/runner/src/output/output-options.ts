/** What a run's answer has to be. */
export interface OutputOptions {
  /** JSON Schema that the answer fits, 2020-12 or an older draft where it says so. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** How often the engine is asked again when its answer does not fit; 2 by default. */
  readonly repairs?: number | undefined;
}

/** How often it is asked again unless the host says otherwise. */
export const DEFAULT_REPAIRS = 2;
