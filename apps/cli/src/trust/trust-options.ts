/** Options of the command `trust`. */
export interface TrustOptions {
  /** Whether to list the trusted folders. */
  list?: boolean;
  /** Whether to compare the folder's files with the trusted ones, without trusting anything. */
  check?: boolean;
  /** Whether to remove the folder from the list of trusted folders. */
  remove?: boolean;
  /** Whether to print JSON. */
  json?: boolean;
}
