/** Prefix of engine names that refer to runtime packages. */
export const RUNTIME_PREFIX = "runtime:";

/**
 * Returns true if a value of the setting `engine` is the path of a file. In `runtime:<id>/<backend>`, the slash is not
 * a path separator.
 */
export function isEngineFile(engine: string): boolean {
  return !engine.startsWith(RUNTIME_PREFIX) && /[\\/]|\.(?:ya?ml|json)$/iu.test(engine);
}
