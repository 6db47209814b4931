/** Environment variable that allows the tests to start the real command, which costs money. */
const GATE = "SWITCHYARD_CLAUDE_CODE_TEST";

/**
 * Reason why the real command is not started. `undefined` if it is started. A missing credential is never a failure.
 */
export function reasonToSkip(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (env[GATE] !== "1") return `starts the real command, which costs money: needs ${GATE}=1`;
  const isSignedIn = ["ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"].some((name) => (env[name] ?? "") !== "");
  return isSignedIn ? undefined : "the real command has nothing to sign in with";
}
