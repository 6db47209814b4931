import { InvalidArgumentError, type Option } from "commander";

const UNITS: Readonly<Record<string, number>> = { "": 1, s: 1, m: 60, h: 3600 };

/** A whole number that is not negative. */
export function parseCount(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("Write a whole number, for example 30.");
  return Number(text);
}

/** US dollars, with a point where cents and less follow; the value is in millionths of them. */
export function parseDollars(text: string): number {
  const [, dollars, fraction = ""] = /^\$?(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (dollars === undefined) throw new InvalidArgumentError("Write US dollars, for example 2 or 0.50.");
  return Number(dollars) * 1_000_000 + Number(fraction.padEnd(6, "0"));
}

/** A whole number from 1 to 100. */
export function parseAttempts(text: string): number {
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > 100) throw new InvalidArgumentError("Write a whole number from 1 to 100.");
  return count;
}

/** Seconds, or a number with `s`, `m` or `h` behind it; the value is in seconds. */
export function parseSeconds(text: string): number {
  const [, digits = "", unit = ""] = /^(\d{1,9}(?:\.\d{1,3})?)([smh]?)$/.exec(text) ?? [];
  const factor = UNITS[unit];
  if (digits === "" || factor === undefined)
    throw new InvalidArgumentError("Write seconds or a time such as 90s, 5m or 1h.");
  return Number(digits) * factor;
}

const AGE_UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** An age with its unit, `s`, `m`, `h`, `d` or `w`, which no age goes without; the value is in seconds. */
export function parseAge(text: string): number {
  const [, digits = "", unit = ""] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  const factor = AGE_UNITS[unit];
  if (digits === "" || factor === undefined) throw new InvalidArgumentError("Write an age such as 30d, 12h or 90m.");
  return Number(digits) * factor;
}

/** The values of an option that may be given again and again. */
export function collectText(text: string, texts: readonly string[] = []): string[] {
  return [...texts, text];
}

/** Model references, separated by commas; the option may be given again. */
export function collectModels(text: string, models: readonly string[] = []): string[] {
  const added = text.split(",").map((model) => model.trim());
  const wrong = added.find((model) => !/^[^/\s]+\/\S+$/.test(model));
  if (wrong !== undefined) throw new InvalidArgumentError("Write provider/name, for example openai/gpt-6.2-sol.");
  return [...models, ...added];
}

/** Has an option refuse a value that is empty, as that of a variable is that nobody has set: it would mean this very folder, or nothing. */
export function refuseEmpty(option: Option): void {
  const { required, variadic, parseArg } = option;
  if (!required || variadic) return;
  option.argParser((text: string, earlier: unknown) => {
    if (text.trim() === "") throw new InvalidArgumentError("It is empty.");
    return parseArg === undefined ? text : parseArg(text, earlier);
  });
}
