import { EngineError } from "@switchyard/contracts";

/** Maximum length of a configuration, in characters. A longer one is rejected with `config.malformed`. */
const MAX_CHARS = 1024 * 1024;

/**
 * Parses an engine configuration in YAML or JSON. Rejects with `config.malformed`, which contains line and column. See
 * custom-engine: configuration entry point.
 */
export async function parseEngineFile(text: string, path: string): Promise<unknown> {
  if (text.length > MAX_CHARS) throw malformed(path, { problem: `it is longer than ${MAX_CHARS} characters` });
  const { LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  const document = parseDocument(text.startsWith("\uFEFF") ? text.slice(1) : text, {
    ...{ lineCounter: lines, uniqueKeys: true, prettyErrors: false },
    // YAML 1.2, in which `yes` and `on` are strings, unlike in YAML 1.1.
    ...{ version: "1.2", stringKeys: true },
  });
  const [error] = [...document.errors, ...document.warnings];
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw malformed(path, { line, column: col, problem: error.message, cause: error });
  }
  try {
    // Limits alias expansion: nested aliases can otherwise exhaust memory.
    return document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    throw malformed(path, { problem: "its aliases expand to too much data", cause });
  }
}

interface Malformed {
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly problem: string;
  readonly cause?: unknown;
}

function malformed(path: string, { line = 1, column = 1, problem, cause }: Malformed): EngineError {
  return new EngineError("config.malformed", { path, line, column, problem }, { cause });
}
