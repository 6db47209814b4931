import { EngineError } from "@switchyard/contracts";
import { clientErrorLine } from "../client/client-error-line.ts";
import { NO_SHELL } from "../client/keep-alive.ts";
import type { ClientFailure } from "../remote/remote-backend.ts";

/**
 * Patterns of error messages of `docker` and `podman`, each with an explanation for the user. The first matching
 * pattern is used.
 */
const MEANINGS: readonly (readonly [pattern: RegExp, problem: string])[] = [
  [
    /permission denied.*(?:connect|socket|daemon)|(?:connect|socket|daemon).*permission denied/is,
    "you may not use the container engine; add this user to its group (`docker`), or use rootless Podman.",
  ],
  [
    /cannot connect|connection refused|is the docker daemon running|error during connect|unable to connect/i,
    "the container engine does not answer; start it, or set DOCKER_HOST or the context.",
  ],
  [/no such container|no container with (?:name|id)/i, "the container does not exist; start it, or check its name."],
  [
    /is not running|container state improper|is stopped|can only create exec sessions on running/i,
    "the container does not run; start it.",
  ],
  [/is paused/i, "the container is paused; unpause it."],
  [
    /pull access denied|manifest (?:for .* )?(?:unknown|not found)|no such image|image not known|unable to find image|initializing source|name unknown/i,
    "the image is not there and cannot be pulled; build or pull it, or check its name.",
  ],
  [
    /(?:exec|stat).*(?:executable file not found|no such file or directory)|attempted to invoke a command that was not found/is,
    NO_SHELL,
  ],
  [
    /bind source path does not exist|statfs .*no such file|mounts denied/i,
    "the engine's host has no such workspace folder, or does not share it; check `workspace`.",
  ],
  [/network .*not found|unable to find network/i, "the network does not exist; create it, or check `network`."],
  [/unable to find (?:user|group)|no matching entries in passwd/i, "the image has no such user; check `user`."],
  [
    /cgroups?.*(?:controller|not (?:supported|available|writable))|controller.*not available/i,
    "the engine cannot set limits here; delegate its cgroup controllers to it, or use one that runs as root.",
  ],
  [/no space left on device/i, "the engine has no room left; remove images or containers."],
];

/**
 * Explanations of exit codes, used if the client printed no message on standard error. For example, Docker reports a
 * missing program on standard output.
 */
const SILENT: Readonly<Record<number, string>> = {
  126: NO_SHELL,
  127: NO_SHELL,
  137: "it was killed, perhaps because it ran out of memory; raise `memory`, or see the engine's log.",
  143: "it was terminated from outside; see the engine's log.",
};

/** Converts a failure of an engine's client to `environment.unavailable`, with the problem and a remedy. */
export function explainEngine(environment: string, failure: ClientFailure): EngineError {
  const meaning = MEANINGS.find(([pattern]) => pattern.test(failure.stderr))?.[1];
  const message = clientErrorLine(failure.stderr);
  const problem = message === "" ? `exit code ${failure.exitCode}` : message;
  const silent = message === "" ? SILENT[failure.exitCode] : undefined;
  return new EngineError("environment.unavailable", {
    environment,
    problem: silent ?? (meaning === undefined ? `its client failed: ${problem}` : `${meaning} (${problem})`),
  });
}
