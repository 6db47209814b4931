/** Options of the command `trust`. */
export interface TrustOptions {
  /** Whether the trusted folders are listed. */
  list?: boolean;
  /** Whether the folder is only compared with what was trusted. */
  check?: boolean;
  /** Whether the folder is trusted no longer. */
  remove?: boolean;
  /** Whether JSON is printed. */
  json?: boolean;
}
