// @ts-check
// `pnpm record:terminal`: runs `switchyard demo` on a pseudo-terminal and writes what the terminal showed to
// docs/images/terminal-light.svg and terminal-dark.svg. Needs `script` of util-linux.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PALETTES, renderSvg } from "./render-svg.mjs";
import { readScreen } from "./screen.mjs";

/** @import { Line } from "./screen.mjs" */

const COLUMNS = 92;
const COMMAND = "switchyard demo";
/** Last line of the recording. The demo then prints the diff and the result as JSON. */
const LAST_LINE = /^Run folder:/;

const root = resolve(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "switchyard-recording-"));
try {
  const recording = record(folder);
  const screen = await readScreen({ ...recording, columns: COLUMNS });
  const lines = screen.map((line) => withoutFolder(line, folder));
  const end = lines.findIndex(({ text }) => LAST_LINE.test(text));
  if (end === -1)
    throw new Error(`The demo printed no line "${LAST_LINE.source}":\n${lines.map(({ text }) => text).join("\n")}`);
  for (const [name, palette] of Object.entries(PALETTES)) {
    const file = join(root, `docs/images/terminal-${name}.svg`);
    writeFileSync(file, renderSvg({ command: COMMAND, lines: lines.slice(0, end), columns: COLUMNS, palette }));
    console.log(`Wrote ${file}.`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Shows the paths of a user instead of those in the recording's folder.
 * @param {Line} line
 * @param {string} home
 * @returns {Line}
 */
function withoutFolder({ text, runs, at }, home) {
  const shorten = (/** @type {string} */ one) => one.replaceAll(`${home}/tmp`, "/tmp").replaceAll(home, "~");
  return { text: shorten(text), runs: runs.map((run) => ({ ...run, text: shorten(run.text) })), at };
}

/**
 * Runs the demo. Returns its output and, for each chunk of it, the delay in seconds and the length in bytes.
 * @param {string} home folder for the files of the command
 * @returns {{ output: Buffer, timing: { seconds: number, bytes: number }[] }}
 */
function record(home) {
  const bin = join(root, "apps/cli/dist/bin.cjs");
  const [output, timing] = [join(home, "output"), join(home, "timing")];
  mkdirSync(join(home, "tmp"));
  const command = `stty cols ${COLUMNS} rows 40; "${process.execPath}" "${bin}" demo`;
  const options = ["--quiet", "--return", "--log-out", output, "--log-timing", timing, "--command", command];
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    TMPDIR: join(home, "tmp"),
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
  };
  const { status, error } = spawnSync("script", options, { env, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(`The demo failed with exit code ${status}.`, { cause: error });
  const bytes = readFileSync(output);
  // `script` adds a line before and after the output.
  const start = bytes.indexOf("\n") + 1;
  return {
    output: bytes.subarray(start),
    timing: readFileSync(timing, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const [seconds, length] = line.split(" ");
        return { seconds: Number(seconds), bytes: Number(length) };
      }),
  };
}
