import { EngineError } from "@switchyard/contracts";

/**
 * Maximum length, in characters, of a setting that is passed as a command-line argument to a client program (`docker`,
 * `kubectl`, `ssh`).
 */
const MAX_SETTING_CHARS = 4096;

/** Validation rule for one setting of an environment. */
export interface SettingRule {
  /** Name of the setting, for error messages. */
  readonly field: string;
  /** Regular expression that the whole value must match. */
  readonly pattern: RegExp;
  /** Description of a valid value, for error messages, for example "the name of a container". */
  readonly expected: string;
}

/**
 * Validates a setting that is passed as a command-line argument to a client program. Throws `config.invalid` if the
 * value does not match, could be read as an option, or contains control characters.
 */
export function checkSetting(value: string, { field, pattern, expected }: SettingRule): string {
  const problem = problemOf(value) ?? (pattern.test(value) ? undefined : `it is not ${expected}`);
  if (problem !== undefined) throw new EngineError("config.invalid", { field, problem });
  return value;
}

function problemOf(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "") return "it is empty";
  if (value.startsWith("-")) return "it begins with `-`, which a command would take for an option";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern finds control characters.
  if (/[\u0000-\u001f\u007f]/.test(value)) return "it contains a control character";
  return value.length > MAX_SETTING_CHARS ? "it is too long" : undefined;
}

/** Validates an absolute POSIX path inside the remote environment. Throws `config.invalid`. */
export function checkRemotePath(field: string, path: string): string {
  const expected = "an absolute path without `.` and `..`";
  const clean = checkSetting(path, { field, pattern: /^\/(?!.*(^|\/)\.{1,2}(\/|$))/, expected });
  return clean === "/" ? clean : clean.replace(/\/+$/, "");
}

/** Validates an image name. Throws `config.invalid`. */
export function checkImage(image: string): string {
  const pattern = /^[A-Za-z0-9][\w.\-/:@+]*$/;
  return checkSetting(image, { field: "image", pattern, expected: "the name of an image" });
}

/** Validates a positive number. Throws `config.invalid`. */
export function checkAmount(field: string, value: number, isInteger: boolean): number {
  if (Number.isFinite(value) && value > 0 && (!isInteger || Number.isSafeInteger(value))) return value;
  throw new EngineError("config.invalid", { field, problem: `it is not a ${isInteger ? "whole " : ""}number above 0` });
}
