import type { LaunchTarget } from "@switchyard/adapter-kit";

/** Major versions whose streams are understood. */
const KNOWN_MAJORS: readonly number[] = [1, 2];
/** Milliseconds that the command may take to say its version. */
const CHECK_MS = 5_000;
const VERSION = /^v?((\d+)\.\d+\.\d+\S*)/mu;

/**
 * What is wrong with the version of a command that said nothing understandable; nothing where that is not the reason,
 * or it does not say. A command that works is never asked. agent-adapter: OpenCode.
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
