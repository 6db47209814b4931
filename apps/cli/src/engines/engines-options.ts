/** Options of the commands `engines list` and `engines doctor`. */
export interface EnginesOptions {
  /** Whether to print JSON. */
  json?: boolean;
  /** Whether to include adapters from packages of the current folder. Default: false. */
  trustWorkspace?: boolean;
}
