// @ts-check
import headless from "@xterm/headless";

/** A stretch of characters with the same style. @typedef {{ text: string, color: string, bold: boolean, dim: boolean }} Run */

/** A line of the terminal, and when it was first shown, in seconds. @typedef {{ text: string, runs: Run[], at: number }} Line */

const COLORS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

/**
 * Replays recorded output in a terminal emulator. Returns the final lines, each with the time since which it has had its
 * final text.
 * @param {{ output: Buffer, timing: readonly { seconds: number, bytes: number }[], columns: number }} recording
 * @returns {Promise<Line[]>}
 */
export async function readScreen({ output, timing, columns }) {
  const terminal = new headless.Terminal({ cols: columns, rows: 40, scrollback: 10_000, allowProposedApi: true });
  /** @type {{ text: string, at: number }[]} */
  const history = [];
  let seconds = 0;
  let offset = 0;
  for (const chunk of timing) {
    seconds += chunk.seconds;
    await write(terminal, output.subarray(offset, offset + chunk.bytes));
    offset += chunk.bytes;
    for (const [index, { text }] of readLines(terminal).entries()) {
      if (history[index]?.text !== text) history[index] = { text, at: seconds };
    }
  }
  return readLines(terminal).map((line, index) => ({ ...line, at: history[index]?.at ?? seconds }));
}

/**
 * @param {InstanceType<typeof headless.Terminal>} terminal
 * @param {Uint8Array} bytes
 * @returns {Promise<void>}
 */
function write(terminal, bytes) {
  return new Promise((resolve) => terminal.write(bytes, resolve));
}

/**
 * @param {InstanceType<typeof headless.Terminal>} terminal
 * @returns {{ text: string, runs: Run[] }[]}
 */
function readLines({ buffer: { active } }) {
  const count = active.baseY + active.cursorY;
  return Array.from({ length: count }, (_, index) => {
    const line = active.getLine(index);
    /** @type {Run[]} */
    const runs = [];
    const length = line?.translateToString(true).length ?? 0;
    for (let column = 0; column < length; column += 1) {
      const cell = line?.getCell(column);
      if (cell === undefined || cell.getWidth() === 0) continue;
      const style = {
        color: cell.isFgPalette() ? (COLORS[cell.getFgColor() % COLORS.length] ?? "text") : "text",
        bold: cell.isBold() !== 0,
        dim: cell.isDim() !== 0,
      };
      const last = runs.at(-1);
      const text = cell.getChars() || " ";
      const isSame = last?.color === style.color && last.bold === style.bold && last.dim === style.dim;
      if (last !== undefined && isSame) last.text += text;
      else runs.push({ text, ...style });
    }
    return { text: line?.translateToString(true) ?? "", runs };
  });
}
