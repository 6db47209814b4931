import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";

/** One effect, as it was recorded. */
export interface Effect {
  /** Id of the operation that had it; the same when the operation is done again. */
  readonly operationId: string;
  /** Process that did it. */
  readonly pid: number;
  /** 1-based number within the ledger, in the order of recording. */
  readonly number: number;
}

/** A record of what was really done, that outlives whoever did it. Contract: nothing is ever taken out of it. D4. */
export interface EffectLedger {
  /** Records that an operation has its effect now. */
  record(operationId: string): void;
  /** All effects, in the order of recording. */
  effects(): readonly Effect[];
  /** Ids of operations that had their effect more than once, sorted. */
  duplicates(): readonly string[];
}

/** Where a ledger is kept. */
export interface EffectLedgerOptions {
  /** File that several processes append to; in memory by default. */
  readonly path?: string | undefined;
  /** Id of this process; its own by default. */
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
    if (!isLine(line)) throw new TypeError(`${path} is no ledger of effects: ${text}`);
    lines.push(line);
  }
  return lines;
}

function appendLine(path: string, line: Line): void {
  // One write at the end of the file: whole or not at all, also beside other processes.
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
 * Opens a ledger of effects: a tool under test records each time it really does something, and afterwards the ledger
 * tells what was done twice. In a file it outlives `kill -9` and is shared by processes.
 */
export function openEffectLedger({ path, pid = process.pid }: EffectLedgerOptions = {}): EffectLedger {
  const memory: Line[] = [];
  // So that a ledger nothing was recorded in can be read.
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
