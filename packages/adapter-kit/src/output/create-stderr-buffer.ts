import type { Masker } from "@switchyard/secrets";
import { stripColours } from "./strip-colours.ts";

/**
 * Maximum number of first lines that are stored, and of last lines. Lines between them are dropped. See agent-adapter:
 * fork per turn.
 */
const MAX_LINES = 500;
/** Maximum number of characters of the stored first lines, and of the stored last lines. */
const MAX_CHARS = (5 * 1024 * 1024) / 2;
/** Maximum number of characters of one line. */
const MAX_LINE_CHARS = 16 * 1024;

/** Buffers an agent's standard error, bounded and with secrets masked. */
export interface StderrBuffer {
  /** Adds bytes. */
  write(chunk: Uint8Array): void;
  /** Returns the first lines, a marker that replaces dropped lines, and the last lines. */
  lines(): readonly string[];
  /** Returns the end of the buffered text, with at most the given number of characters. */
  tail(maxChars: number): string;
}

interface Half {
  readonly lines: string[];
  chars: number;
}

/** Creates a buffer. Secrets are masked before anything is cut, because a partial secret would not be recognised. */
export function createStderrBuffer(masker: Masker): StderrBuffer {
  const decoder = new TextDecoder("utf-8");
  const masked = masker.stream();
  const [head, last]: [Half, Half] = [
    { lines: [], chars: 0 },
    { lines: [], chars: 0 },
  ];
  let [open, dropped] = ["", 0];

  function addLine(line: string): void {
    const text = stripColours(line).slice(0, MAX_LINE_CHARS);
    const fits = head.lines.length < MAX_LINES && head.chars + text.length <= MAX_CHARS && last.lines.length === 0;
    const half = fits ? head : last;
    half.lines.push(text);
    half.chars += text.length;
    while (last.lines.length > MAX_LINES || last.chars > MAX_CHARS) {
      last.chars -= last.lines.shift()?.length ?? 0;
      dropped += 1;
    }
  }
  function take(text: string): void {
    const lines = (open + text).split(/\r?\n/u);
    open = (lines.pop() ?? "").slice(0, MAX_LINE_CHARS);
    for (const line of lines) if (line.trim() !== "") addLine(line);
  }
  function end(): void {
    take(`${masked.write(decoder.decode())}${masked.end()}\n`);
  }
  function lines(): readonly string[] {
    end();
    const marker = dropped === 0 ? [] : [`... (${dropped} lines discarded) ...`];
    return [...head.lines, ...marker, ...last.lines];
  }
  return {
    write: (chunk) => take(masked.write(decoder.decode(chunk, { stream: true }))),
    lines,
    tail: (maxChars) => lines().join("\n").slice(-maxChars),
  };
}
