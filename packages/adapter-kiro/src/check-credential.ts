import type { LaunchTarget } from "@switchyard/adapter-kit";
import { EngineError } from "@switchyard/contracts";

/** Environment variable with the API key for non-interactive use. */
export const KEY_VARIABLE = "KIRO_API_KEY";
/** Time limit for the authentication check, in milliseconds. */
const CHECK_MS = 5_000;
const SIGNED_IN = "Authenticated with API key";

/**
 * Checks the API key before any turn. Without a key, `kiro-cli` waits for authentication forever; with a wrong key, it
 * exits with status 0 and no message. Over SSH, the key is passed with the session and cannot be checked locally.
 * Throws `adapter.credential_unverified` or `adapter.response_error`. See agent-adapter: credentials.
 */
export async function checkCredential(target: LaunchTarget, signal: AbortSignal | undefined): Promise<void> {
  const { environment, workspacePath, command, isRemote, variables } = target;
  const key = variables[KEY_VARIABLE];
  if (key === undefined) {
    throw new EngineError("adapter.credential_unverified", { problem: `${KEY_VARIABLE} is not set` });
  }
  if (isRemote) return;
  const set = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, value.reveal()]));
  const { exitCode, stdout, stderr, timedOut, aborted } = await environment.exec([...command, "whoami"], {
    ...{ cwd: workspacePath, timeoutMs: CHECK_MS, env: { policy: "core", set } },
    ...(signal === undefined ? {} : { signal }),
  });
  if (aborted) throw new EngineError("adapter.turn_cancelled");
  if (exitCode === 0 && `${stdout}\n${stderr}`.includes(SIGNED_IN)) return;
  const found = timedOut ? `it did not answer within ${CHECK_MS} ms` : `it is not signed in with ${KEY_VARIABLE}`;
  throw new EngineError("adapter.response_error", { problem: `${found} (${[...command, "whoami"].join(" ")})` });
}
