/** Options of the commands `init adapter` and `init engine`. */
export interface InitOptions {
  /** Folder to create. Default: named after the package. */
  folder?: string;
  /** Whether to print the created files as JSON. */
  json?: boolean;
}

/** Kind of package. */
export type InitKind = "adapter" | "engine";
