import type { LaunchTarget } from "@switchyard/adapter-kit";
import { EngineError } from "@switchyard/contracts";

/** Variable with which the command signs in when nobody sits in front of it. */
export const KEY_VARIABLE = "KIRO_API_KEY";
/** Milliseconds that the command may take to say who it is. */
const CHECK_MS = 5_000;
const SIGNED_IN = "Authenticated with API key";

/**
 * Checks the key before any turn: without one the command waits for a sign-in for ever, and with a wrong one it exits 0
 * without a word. Over SSH the key travels with the session, and what is signed in here says nothing. Throws
 * `adapter.credential_unverified` and `adapter.response_error`. agent-adapter: credentials.
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
