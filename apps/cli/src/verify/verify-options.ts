/** What the command may be told. */
export interface VerifyOptions {
  /** Names of the contracts to run; all by default. */
  kit?: string[];
  /** Whether the findings are printed as JSON. */
  json?: boolean;
  /** Seconds that one case may take, at most. */
  timeout?: number;
}
