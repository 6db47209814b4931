/** Name prefix of engines that are implemented by runtime packages. */
export const RUNTIME_PREFIX = "runtime:";

/**
 * Returns true if a value of `engine` is the path of a file. The slash in `runtime:<id>/<backend>` separates no
 * folders.
 */
export function isEngineFile(engine: string): boolean {
  return !engine.startsWith(RUNTIME_PREFIX) && /[\\/]|\.(?:ya?ml|json)$/iu.test(engine);
}
