import type { SettingsContext } from "@switchyard/settings";

/** Host program that opens engines: its user, its process, and a callback for its warnings. */
export interface EngineHost extends SettingsContext {
  /** Name and version of the program. Stored in the records of runs. */
  readonly createdBy: string;
  /** Imports a third-party module by its absolute path, which runs the module's code. */
  readonly importModule: (path: string) => Promise<unknown>;
  /** Called with each warning, which is one sentence. The text may contain names that engines or models chose. */
  readonly onWarning: (problem: string) => void;
}
