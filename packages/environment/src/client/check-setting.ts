import { EngineError } from "@switchyard/contracts";

/** Longest setting that becomes an argument of a client program. */
const MAX_SETTING_CHARS = 4096;

/** What a setting must be like. */
export interface SettingRule {
  /** Name of the setting, for messages. */
  readonly field: string;
  /** What it must match as a whole. */
  readonly pattern: RegExp;
  /** What that is, for messages: "the name of a container". */
  readonly expected: string;
}

/**
 * Checks a setting that becomes an argument of a client program. Throws `config.invalid`: for what does not match, and
 * for what could pass for an option or holds control characters.
 */
export function checkSetting(value: string, { field, pattern, expected }: SettingRule): string {
  const problem = problemOf(value) ?? (pattern.test(value) ? undefined : `it is not ${expected}`);
  if (problem !== undefined) throw new EngineError("config.invalid", { field, problem });
  return value;
}

function problemOf(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "") return "it is empty";
  if (value.startsWith("-")) return "it begins with `-`, which a command would take for an option";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  if (/[\u0000-\u001f\u007f]/.test(value)) return "it holds a control character";
  return value.length > MAX_SETTING_CHARS ? "it is too long" : undefined;
}

/** Checks an absolute POSIX path of the place. Throws `config.invalid`. */
export function checkRemotePath(field: string, path: string): string {
  const expected = "an absolute path without `.` and `..`";
  const clean = checkSetting(path, { field, pattern: /^\/(?!.*(^|\/)\.{1,2}(\/|$))/, expected });
  return clean === "/" ? clean : clean.replace(/\/+$/, "");
}

/** Checks the name of an image. Throws `config.invalid`. */
export function checkImage(image: string): string {
  const pattern = /^[A-Za-z0-9][\w.\-/:@+]*$/;
  return checkSetting(image, { field: "image", pattern, expected: "the name of an image" });
}

/** Checks a number. Throws `config.invalid`. */
export function checkAmount(field: string, value: number, whole: boolean): number {
  if (Number.isFinite(value) && value > 0 && (!whole || Number.isSafeInteger(value))) return value;
  throw new EngineError("config.invalid", { field, problem: `it is not a ${whole ? "whole " : ""}number above 0` });
}
