import { EngineError } from "@switchyard/contracts";

/** Reads the configuration block of an adapter and collects its problems. See agent-adapter: passthrough config. */
export interface ConfigReader {
  /** Reads a string field; `undefined` if the field is unset or empty. */
  text(name: string): string | undefined;
  /** Reads a string field that must have one of several allowed values. */
  choice<T extends string>(name: string, values: readonly T[]): T | undefined;
  /** Reads a boolean. Default: `false`. */
  flag(name: string): boolean;
  /** Reads a list of strings. Default: an empty list. */
  texts(name: string): readonly string[];
  /** Reads a non-negative integer. */
  count(name: string): number | undefined;
  /** Reads a string or a list of strings. */
  command(name: string): string | readonly string[] | undefined;
  /** Adds a problem of a field to the list of problems. */
  problem(name: string, problem: string): void;
  /** Adds a problem if two mutually exclusive fields are both set. */
  exclude(first: string, second: string): void;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isChosen<T extends string>(value: string, values: readonly T[]): value is T {
  return values.some((known) => known === value);
}

/** Returns true if a value is not `undefined`, `false` or empty. */
function isSet(value: unknown): boolean {
  return (
    value !== undefined && value !== null && value !== false && value !== "" && !(isTexts(value) && value.length === 0)
  );
}

/** Reads the fields of a block and adds their problems to the list of problems. */
class BlockReader implements ConfigReader {
  readonly #block: Readonly<Record<string, unknown>>;
  readonly #readFields = new Set<string>();
  readonly problems: { readonly name: string; readonly problem: string }[] = [];

  constructor(block: Readonly<Record<string, unknown>>) {
    this.#block = block;
  }

  #value(name: string): unknown {
    this.#readFields.add(name);
    const value = Object.hasOwn(this.#block, name) ? this.#block[name] : undefined;
    return value === null ? undefined : value;
  }

  #wrong(name: string, expected: string): undefined {
    this.problem(name, `it is not ${expected}`);
    return undefined;
  }

  text(name: string): string | undefined {
    const value = this.#value(name);
    if (value === undefined || value === "") return undefined;
    return typeof value === "string" ? value : this.#wrong(name, "a text");
  }

  choice<T extends string>(name: string, values: readonly T[]): T | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    return isChosen(value, values) ? value : this.#wrong(name, `one of ${values.join(", ")}`);
  }

  flag(name: string): boolean {
    const value = this.#value(name);
    if (value === undefined || typeof value === "boolean") return value === true;
    return this.#wrong(name, "true or false") ?? false;
  }

  texts(name: string): readonly string[] {
    const value = this.#value(name);
    if (value === undefined) return [];
    return isTexts(value) ? [...value] : (this.#wrong(name, "a list of texts") ?? []);
  }

  count(name: string): number | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    const isCount = typeof value === "number" && Number.isFinite(value) && value >= 0;
    return isCount ? value : this.#wrong(name, "a number from 0 on");
  }

  command(name: string): string | readonly string[] | undefined {
    const value = this.#value(name);
    if (value === undefined || typeof value === "string") return value;
    return isTexts(value) ? [...value] : this.#wrong(name, "a text or a list of texts");
  }

  problem(name: string, problem: string): void {
    this.problems.push({ name, problem });
  }

  exclude(first: string, second: string): void {
    if (isSet(this.#value(first)) && isSet(this.#value(second))) {
      this.problem(first, `${first} and ${second} exclude each other`);
    }
  }

  unasked(): string[] {
    return Object.keys(this.#block).filter((name) => !this.#readFields.has(name));
  }
}

/**
 * Reads the configuration block of an adapter before any turn. Throws `config.invalid` with all problems, including
 * unknown fields. See agent-adapter: passthrough config.
 */
export function readConfig<Config>(kind: string, block: unknown, read: (reader: ConfigReader) => Config): Config {
  if (block !== undefined && block !== null && !isRecord(block)) {
    throw new EngineError("config.invalid", { field: kind, problem: "it is not a block of settings" });
  }
  const reader = new BlockReader(isRecord(block) ? block : {});
  const config = read(reader);
  for (const name of reader.unasked()) reader.problem(name, "the setting is unknown");
  const [first, ...others] = reader.problems;
  if (first === undefined) return config;
  const rest = others.map(({ name, problem }) => `; ${kind}.${name}: ${problem}`).join("");
  throw new EngineError("config.invalid", { field: `${kind}.${first.name}`, problem: `${first.problem}${rest}` });
}
