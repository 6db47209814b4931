import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";

/** A recorded effect. */
export interface Effect {
  /** Id of the operation. If an operation is executed again, it has the same id. */
  readonly operationId: string;
  /** Id of the process. */
  readonly pid: number;
  /** Number in the ledger, 1-based, in recording order. */
  readonly number: number;
}

/**
 * A record of executed effects, such as tool executions, that outlives the process. Contract: entries are never
 * removed. See durability promise D4.
 */
export interface EffectLedger {
  /** Adds an operation that has taken effect to the record. */
  record(operationId: string): void;
  /** Returns all effects, in recording order. */
  effects(): readonly Effect[];
  /** Returns the sorted ids of operations that took effect more than once. */
  duplicates(): readonly string[];
}

/** Options of a ledger. */
export interface EffectLedgerOptions {
  /** Path of a file to which several processes append. Default: effects are recorded in memory. */
  readonly path?: string | undefined;
  /** Process id to record. Default: the id of this process. */
  readonly pid?: number | undefined;
}

type Line = Omit<Effect, "number">;

function isLine(value: unknown): value is Line {
  if (typeof value !== "object" || value === null) return false;
  return (
    "operationId" in value && typeof value.operationId === "string" && "pid" in value && typeof value.pid === "number"
  );
}

function readLines(path: string): Line[] {
  const lines: Line[] = [];
  for (const text of readFileSync(path, "utf8").split("\n")) {
    if (text === "") continue;
    const line: unknown = JSON.parse(text);
    if (!isLine(line)) throw new TypeError(`${path} is not a ledger of effects: ${text}`);
    lines.push(line);
  }
  return lines;
}

function appendLine(path: string, line: Line): void {
  // The entry is written with one append, which is atomic even if several processes append concurrently.
  const file = openSync(path, "a");
  try {
    writeSync(file, `${JSON.stringify(line)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function repeatedIn(lines: readonly Line[]): string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { operationId } of lines) {
    if (seen.has(operationId)) repeated.add(operationId);
    seen.add(operationId);
  }
  return [...repeated].sort();
}

/**
 * Opens a ledger of effects. A tool under test records each execution, and the ledger then shows what was executed
 * twice. A file survives `kill -9` and is shared by processes.
 */
export function openEffectLedger({ path, pid = process.pid }: EffectLedgerOptions = {}): EffectLedger {
  const memory: Line[] = [];
  // Creates the file, so that an empty ledger can be read.
  if (path !== undefined) closeSync(openSync(path, "a"));
  const lines = (): readonly Line[] => (path === undefined ? memory : readLines(path));
  return {
    record(operationId) {
      const line = { operationId, pid };
      if (path === undefined) memory.push(line);
      else appendLine(path, line);
    },
    effects: () => lines().map((line, index) => ({ ...line, number: index + 1 })),
    duplicates: () => repeatedIn(lines()),
  };
}
