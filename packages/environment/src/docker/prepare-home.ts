import type { ExecResult } from "@switchyard/contracts";
import type { ClientProgram } from "../client/client-program.ts";
import { RESPONSE_TIMEOUT_MS } from "./container-engine.ts";
import { explainEngine } from "./explain-engine.ts";

/** Container and user for which a home folder is prepared. */
export interface HomeOptions {
  /** Name of the container. */
  readonly container: string;
  /** Name of the image, for error messages. */
  readonly image: string;
  readonly user: string;
  /** True if only `/tmp` is writable. */
  readonly readOnlyRoot: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Shell script that succeeds if the user has a writable home folder. */
const HAS_HOME = '[ -n "$HOME" ] && [ "$HOME" != / ] && [ -d "$HOME" ] && [ -w "$HOME" ]';

/**
 * Shell script that creates the home folder $1 of user $2 with group $3. It also adds entries to the user and group
 * databases if these are writable.
 */
const MAKE_HOME = `mkdir -p "$1" && chown "$2:$3" "$1" || exit
has() {
  while IFS=: read -r name word number rest; do [ "$number" = "$2" ] && return 0; done <"$1"
  return 1
}
add() {
  [ -f "$1" ] && [ -w "$1" ] && ! has "$1" "$2" || return 0
  [ -z "$(tail -c 1 "$1")" ] || echo >>"$1"
  echo "$3" >>"$1"
}
case $2$3 in *[!0-9]*) exit 0 ;; esac
add /etc/passwd "$2" "switchyard:x:$2:$3:Switchyard:$1:/bin/sh"
add /etc/group "$3" "switchyard:x:$3:"
exit 0
`;

/**
 * Error message of the container runtime if the image does not have the requested user. Some container runtimes print
 * it on standard output.
 */
const NO_USER = /unable to find (?:user|group)|no matching entries in (?:passwd|group)/i;

/**
 * Creates a home folder for a user of a new container, unless the user has one. Resolves with its path if commands need
 * a HOME variable. Rejects with `environment.unavailable` if the image does not have the requested user.
 */
export async function prepareHome(engine: ClientProgram, options: HomeOptions): Promise<string | undefined> {
  const { container, image, user, signal } = options;
  const run = async (as: string, ...script: string[]): Promise<ExecResult> => {
    const args = ["exec", "--user", as, "--", container, "sh", "-c", ...script];
    const result = await engine.run(args, { signal, timeoutMs: RESPONSE_TIMEOUT_MS });
    signal?.throwIfAborted();
    return result;
  };
  const check = await run(user, HAS_HOME);
  if (check.exitCode === 0) return undefined;
  const output = `${check.stderr}${check.stdout}`;
  if (NO_USER.test(output)) throw explainEngine(`docker:${image}`, { exitCode: check.exitCode, stderr: output });
  const [name = "", group = "0"] = user.split(":");
  const home = options.readOnlyRoot ? "/tmp/home" : "/home/switchyard";
  return (await run("0", MAKE_HOME, "sh", home, name, group)).exitCode === 0 ? home : "/tmp";
}
