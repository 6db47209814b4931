/** Names that the run gives values to; they win over variables of the environment. custom-engine: built-in template variables. */
export const BUILT_IN_VARIABLES: readonly string[] = [
  "workspace",
  "prompt",
  "messages",
  "messages_json",
  "session_input",
  "session_input_json",
  "session_id",
  "input_file",
  "output_file",
  "model",
  "model_provider",
  "model_name",
  "api_key",
  "case_id",
  "variant",
  "max_turns",
  "timeout_seconds",
  "kwargs",
  "kwargs_json",
];

/** Those that are structures: they stand alone, where JSON can hold them. */
export const STRUCTURES: ReadonlySet<string> = new Set(["messages", "session_input", "kwargs"]);

/** Those that hold, or may hold, a secret: refused on command lines and in addresses. */
export const SENSITIVE_VARIABLES: ReadonlySet<string> = new Set([
  "api_key",
  "session_id",
  "kwargs",
  "kwargs_json",
  "session_input",
  "session_input_json",
]);

/** What the name of a single parameter begins with. */
export const KWARGS_PREFIX = "kwargs.";

const NAMES: ReadonlySet<string> = new Set(BUILT_IN_VARIABLES);

/** Whether the run, not the environment, gives a name its value. */
export function isBuiltIn(name: string): boolean {
  return NAMES.has(name) || name.startsWith(KWARGS_PREFIX);
}
