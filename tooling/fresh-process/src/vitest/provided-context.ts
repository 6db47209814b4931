/** Reasons why tests cannot run in this project, by file and full test name. */
export type Exceptions = Readonly<Record<string, Readonly<Record<string, string>>>>;

declare module "vitest" {
  /** Context provided to the tests of the project `always-resume`. */
  export interface ProvidedContext {
    /** Path of the module of the engine's process. */
    engineModule: string;
    /** Path of the bundled program. `undefined` if tests run normally. */
    engineProgram?: string;
    /** Excluded tests. */
    exceptions: Exceptions;
  }
}
