/** Why tests cannot run so, by the file and the full name of the test. */
export type Exceptions = Readonly<Record<string, Readonly<Record<string, string>>>>;

declare module "vitest" {
  /** What the project `always-resume` hands to its tests. */
  export interface ProvidedContext {
    /** Path of the module of the engine's process. */
    engineModule: string;
    /** Path of the program that was made of it; nothing where tests run as ever. */
    engineProgram?: string;
    /** The tests that are left out. */
    exceptions: Exceptions;
  }
}
