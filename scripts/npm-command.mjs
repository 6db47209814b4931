// @ts-check

/**
 * Returns the command that starts npm: the npm that runs this script, or else the npm on PATH.
 * @param {NodeJS.ProcessEnv} env
 * @returns {[string, ...string[]]}
 */
export function npmCommand(env) {
  const runner = env["npm_execpath"] ?? "";
  return runner.endsWith("npm-cli.js") ? [process.execPath, runner] : ["npm"];
}
