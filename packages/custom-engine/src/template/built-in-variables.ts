/**
 * Template variables that the run provides. They take precedence over environment variables of the same name. See
 * custom-engine: built-in template variables.
 */
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
  "model_base_url",
  "model_token",
  "case_id",
  "variant",
  "max_turns",
  "timeout_seconds",
  "kwargs",
  "kwargs_json",
];

/**
 * Template variables whose values are JSON objects or arrays. Such a variable must be the complete JSON value, not part
 * of a string.
 */
export const STRUCTURES: ReadonlySet<string> = new Set(["messages", "session_input", "kwargs"]);

/** Template variables that may contain a secret. They are rejected in command lines and URLs. */
export const SENSITIVE_VARIABLES: ReadonlySet<string> = new Set([
  "api_key",
  "model_token",
  "session_id",
  "kwargs",
  "kwargs_json",
  "session_input",
  "session_input_json",
]);

/** Prefix of a template reference to a single custom parameter. */
export const KWARGS_PREFIX = "kwargs.";

const NAMES: ReadonlySet<string> = new Set(BUILT_IN_VARIABLES);

/** Returns true if the run, not the environment, provides a variable. */
export function isBuiltIn(name: string): boolean {
  return NAMES.has(name) || name.startsWith(KWARGS_PREFIX);
}
