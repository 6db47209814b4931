import { webSearchProblem } from "@switchyard/engine-catalog";
import { InvalidArgumentError, Option } from "commander";

const UNITS: Readonly<Record<string, number>> = { "": 1, s: 1, m: 60, h: 3600 };

/** Parses an option value that is a non-negative whole number. */
export function parseCount(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("Write a whole number, for example 30.");
  return Number(text);
}

/** Parses an option value in US dollars, with an optional decimal part. Returns millionths of a dollar. */
export function parseDollars(text: string): number {
  const [, dollars, fraction = ""] = /^\$?(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (dollars === undefined) throw new InvalidArgumentError("Write US dollars, for example 2 or 0.50.");
  return Number(dollars) * 1_000_000 + Number(fraction.padEnd(6, "0"));
}

/** Parses an option value that is a whole number from 1 to 100. */
export function parseAttempts(text: string): number {
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > 100) throw new InvalidArgumentError("Write a whole number from 1 to 100.");
  return count;
}

/** Parses a duration: seconds, or a number with the unit `s`, `m` or `h`. Returns seconds. */
export function parseSeconds(text: string): number {
  const [, digits = "", unit = ""] = /^(\d{1,9}(?:\.\d{1,3})?)([smh]?)$/.exec(text) ?? [];
  const factor = UNITS[unit];
  if (digits === "" || factor === undefined)
    throw new InvalidArgumentError("Write seconds or a time such as 90s, 5m or 1h.");
  return Number(digits) * factor;
}

/** Parses a duration like `parseSeconds`. Returns milliseconds. */
function parseMilliseconds(text: string): number {
  return parseSeconds(text) * 1_000;
}

const AGE_UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Parses an age: a number with the unit `s`, `m`, `h`, `d` or `w`, which is required. Returns seconds. */
export function parseAge(text: string): number {
  const [, digits = "", unit = ""] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  const factor = AGE_UNITS[unit];
  if (digits === "" || factor === undefined) throw new InvalidArgumentError("Write an age such as 30d, 12h or 90m.");
  return Number(digits) * factor;
}

/** Validates the name of a web search backend and returns it unchanged. */
export function parseWebSearch(text: string): string {
  const problem = webSearchProblem(text);
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  return text;
}

/** Appends a value of a repeatable option to the values of the option's earlier occurrences. */
export function collectText(text: string, texts: readonly string[] = []): string[] {
  return [...texts, text];
}

/**
 * Parses comma-separated model references, and appends them to the references from earlier occurrences of the option.
 */
export function collectModels(text: string, models: readonly string[] = []): string[] {
  const added = text.split(",").map((model) => model.trim());
  const wrong = added.find((model) => !/^[^/\s]+\/\S+$/.test(model));
  if (wrong !== undefined) throw new InvalidArgumentError("Write provider/name, for example openai/gpt-6.2-sol.");
  return [...models, ...added];
}

/**
 * Makes an option reject an empty value. An unset shell variable expands to an empty value, which would otherwise
 * silently select the current folder or the default.
 */
export function refuseEmpty(option: Option): void {
  const { required, variadic, parseArg } = option;
  if (!required || variadic) return;
  option.argParser((text: string, earlier: unknown) => {
    if (text.trim() === "") throw new InvalidArgumentError("The value is empty.");
    return parseArg === undefined ? text : parseArg(text, earlier);
  });
}

/** Fields of run options whose flags have other names. */
type Field = "fallbackModels" | "allowedModels" | "mcpStartWaitMs" | "totalTokens" | "costMicros" | "maxDelayMs";

const FIELD_OPTIONS: Readonly<Record<Field, (about: string) => Option>> = {
  fallbackModels: (about) => new Option("--fallback-model <provider/name>", about).argParser(collectModels),
  allowedModels: (about) => new Option("--allow-model <provider/name>", about).argParser(collectModels),
  mcpStartWaitMs: (about) => new Option("--mcp-wait <time>", about).argParser(parseMilliseconds),
  totalTokens: (about) => new Option("--max-tokens <count>", about).argParser(parseCount),
  costMicros: (about) => new Option("--max-cost <dollars>", about).argParser(parseDollars),
  maxDelayMs: (about) => new Option("--max-retry-wait <time>", about).argParser(parseMilliseconds),
};

/** Creates an option whose value has the name of the field that it sets, instead of a name derived from its flag. */
export function fieldOption(field: Field, about: string): Option {
  return Object.assign(FIELD_OPTIONS[field](about), { attributeName: () => field });
}
