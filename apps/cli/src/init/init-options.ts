/** Options of the commands `init adapter` and `init engine`. */
export interface InitOptions {
  /** Folder to make; named after the package by default. */
  folder?: string;
  /** Whether what was made is printed as JSON. */
  json?: boolean;
}

/** What can be made. */
export type InitKind = "adapter" | "engine";
