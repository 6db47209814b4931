import type { LaunchTarget } from "@switchyard/adapter-kit";

/** Supported major versions. */
const KNOWN_MAJORS: readonly number[] = [1, 2];
/** Time limit for printing the version, in milliseconds. */
const CHECK_MS = 5_000;
const VERSION = /^v?((\d+)\.\d+\.\d+\S*)/mu;

/**
 * Resolves with the problem of an unsupported version of `opencode`; `undefined` if the version is supported or
 * unknown. Called only if the output of `opencode` was not understood. See agent-adapter: OpenCode.
 */
export async function versionProblem(target: LaunchTarget): Promise<string | undefined> {
  const { environment, workspacePath, command } = target;
  try {
    const { exitCode, stdout } = await environment.exec([...command, "--version"], {
      ...{ cwd: workspacePath, timeoutMs: CHECK_MS, maxOutputChars: 4_096, env: { policy: "core" } },
    });
    const [, version, major] = VERSION.exec(stdout) ?? [];
    if (exitCode !== 0 || version === undefined || KNOWN_MAJORS.includes(Number(major))) return undefined;
    return `${command[0]} is version ${version}; versions ${KNOWN_MAJORS.join(" and ")} are understood`;
  } catch {
    return undefined;
  }
}
