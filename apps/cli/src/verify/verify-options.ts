/** Options of the command `verify`. */
export interface VerifyOptions {
  /** Names of the contracts to test. Default: all contracts for which the module exports a factory. */
  kit?: string[];
  /** Whether to print the results as JSON. */
  json?: boolean;
  /** Time limit of one test case, in seconds. Default: 4. */
  timeout?: number;
}
