/** What a line of a server's standard output holds. */
export interface ReadLine {
  /** JSON values in the order in which they came. */
  readonly values: readonly unknown[];
  /** Text around them. */
  readonly noise: string;
}

/** Where a JSON-RPC message may begin. */
const MESSAGE_START = /\{\s*"(?:jsonrpc|id|method|params|result|error)"\s*:/g;
/** Maximum number of places of one line that are tried. */
const MAX_STARTS = 32;

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** The index after the object that begins at an index; -1 if it does not end. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let isText = false;
  for (let index = start; index < text.length; index++) {
    const char = text[index];
    if (isText) {
      if (char === "\\") index++;
      else if (char === '"') isText = false;
    } else if (char === '"') isText = true;
    else if (char === "{") depth++;
    else if (char === "}" && --depth === 0) return index + 1;
  }
  return -1;
}

/**
 * Reads a line of a server that may write other text to its standard output: `Starting…{"jsonrpc":…}` without a line
 * end in between is a message all the same.
 */
export function readLine(line: string): ReadLine {
  const whole = parse(line.replace(/^\ufeff/, ""));
  if (whole !== undefined) return { values: [whole.value], noise: "" };
  const values: unknown[] = [];
  let noise = "";
  let from = 0;
  let starts = 0;
  for (const { index } of line.matchAll(MESSAGE_START)) {
    if (index < from) continue;
    if (++starts > MAX_STARTS) break;
    const end = endOfObject(line, index);
    const found = end < 0 ? undefined : parse(line.slice(index, end));
    if (found === undefined) continue;
    values.push(found.value);
    noise += line.slice(from, index);
    from = end;
  }
  return { values, noise: (noise + line.slice(from)).trim() };
}
