/** Data about the user and the process whose settings are read. */
export interface SettingsContext {
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Home folder of the user. `undefined` if the user has none. */
  readonly homeDirectory: string | undefined;
  /** Absolute path against which relative paths are resolved. */
  readonly workingDirectory: string;
  /** Returns the current time, in milliseconds since 1970. */
  now(): number;
}
