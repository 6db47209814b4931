import type { SettingsContext } from "@switchyard/settings";

/** Program that opens engines: the user, the process and its messages. */
export interface EngineHost extends SettingsContext {
  /** Name and version of the program. Stored in the records of runs. */
  readonly createdBy: string;
  /** Imports a third-party module by its absolute path, which runs the module's code. */
  readonly importModule: (path: string) => Promise<unknown>;
  /** Called with each warning, one sentence. Warnings contain names from engines and models. */
  readonly onWarning: (problem: string) => void;
}
