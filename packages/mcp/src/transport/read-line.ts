/** Content of one line of a server's standard output. */
export interface ReadLine {
  /** JSON values, in order. */
  readonly values: readonly unknown[];
  /** Text on the line that is not part of a JSON-RPC message. */
  readonly noise: string;
}

/** Pattern that matches a possible start of a JSON-RPC message. */
const MESSAGE_START = /\{\s*"(?:jsonrpc|id|method|params|result|error)"\s*:/g;
/** Maximum number of positions per line at which the parser tries to read a message. Later positions are ignored. */
const MAX_STARTS = 32;

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Returns the index after the JSON object that starts at `start`. -1 if the object has no end. */
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
 * Parses a line of a server that may write other text to its standard output. `Starting…{"jsonrpc":…}` without a line
 * end still contains a message.
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
