/** Options of the commands `engines list` and `engines doctor`. */
export interface EnginesOptions {
  /** Whether JSON is printed. */
  json?: boolean;
  /** Whether packages of this folder may be engines. */
  trustWorkspace?: boolean;
}
