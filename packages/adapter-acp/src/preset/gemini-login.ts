import { isJsonObject, type LaunchTarget, objectAt, textAt } from "@switchyard/adapter-kit";
import { EngineError } from "@switchyard/contracts";

/** Logins with which Gemini CLI calls models at the address in `GOOGLE_GEMINI_BASE_URL`. */
const REDIRECTED: ReadonlySet<string> = new Set(["", "gemini-api-key", "gateway"]);
/** Shell command that prints the user's settings of Gemini CLI. It prints nothing if there are none. */
const PRINT_SETTINGS =
  '[ -n "$GEMINI_CLI_HOME" ] || GEMINI_CLI_HOME=$HOME; cat -- "$GEMINI_CLI_HOME/.gemini/settings.json" 2>/dev/null || true';
const LIMITS = { timeoutMs: 5_000, maxOutputChars: 256 * 1024 } as const;

/**
 * Rejects with `config.invalid` if the user's settings select a login with which Gemini CLI ignores the address in
 * `GOOGLE_GEMINI_BASE_URL`, such as the login with a Google account.
 */
export async function assertGeminiLogin(target: LaunchTarget): Promise<void> {
  const { environment, workspacePath, variables, plainVariables } = target;
  if (environment.platform === "windows") return;
  const homes = ["HOME", "GEMINI_CLI_HOME"].flatMap((name) => {
    const value = plainVariables?.[name] ?? variables[name]?.reveal();
    return value === undefined ? [] : [[name, value] as const];
  });
  const env = { policy: "core" as const, set: Object.fromEntries(homes) };
  const { stdout } = await environment.exec(["sh", "-c", PRINT_SETTINGS], { ...LIMITS, cwd: workspacePath, env });
  const login = selectedLogin(stdout);
  if (REDIRECTED.has(login)) return;
  const problem = `Gemini CLI is set to the login ${login}, with which model calls cannot be redirected; select an API key in Gemini CLI with /auth`;
  throw new EngineError("config.invalid", { field: "security.auth.selectedType", problem });
}

/** Returns the login that the settings select; empty if they select none. Settings may contain comments. */
function selectedLogin(settings: string): string {
  try {
    const parsed: unknown = JSON.parse(settings);
    if (isJsonObject(parsed)) return textAt(objectAt(objectAt(parsed, "security"), "auth"), "selectedType");
  } catch {
    // Settings with comments are not valid JSON, so their text is searched for the field.
  }
  return /"selectedType"\s*:\s*"([^"]*)"/u.exec(settings)?.[1] ?? "";
}
