// @ts-check
import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";

const REFRESH_MS = 500;
/** Characters of the last output line that are shown while a step runs. */
const DETAIL_CHARS = 60;
const ERASE_LINE = "\r\u001b[K";

/**
 * Runs a command and shows on stderr that it runs: on a terminal its last output line and the elapsed time, elsewhere one
 * line at the start and one at the end. Resolves with the command's output. Rejects with the output if the command fails.
 * @param {string} title what the command does, such as "Building"
 * @param {readonly [string, ...string[]]} argv
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<string>}
 */
export async function runStep(title, [command, ...args], { cwd, env }) {
  const isTerminal = process.stderr.isTTY === true;
  const startedAt = Date.now();
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
  const child = spawn(command, args, {
    ...{ cwd, env, stdio: ["ignore", "pipe", "pipe"] },
    shell: process.platform === "win32" && !command.endsWith(".exe"),
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }
  const show = () => process.stderr.write(`${ERASE_LINE}  ${title}… ${seconds()}  ${lastLine(output)}`);
  const timer = isTerminal ? setInterval(show, REFRESH_MS) : undefined;
  if (!isTerminal) process.stderr.write(`${title}…\n`);
  try {
    /** @type {number} */
    const code = await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (status) => resolve(status ?? 1));
    });
    if (code !== 0) throw new Error(`${title} failed with exit code ${code}:\n${output.trim()}`);
  } finally {
    clearInterval(timer);
    if (isTerminal) process.stderr.write(ERASE_LINE);
  }
  process.stderr.write(`${isTerminal ? "✓ " : ""}${title}: done in ${seconds()}\n`);
  return output;
}

/**
 * @param {string} output
 * @returns {string}
 */
function lastLine(output) {
  const lines = stripVTControlCharacters(output.slice(-1000)).split(/[\r\n]+/);
  return (lines.findLast((line) => line.trim() !== "") ?? "").trim().slice(0, DETAIL_CHARS);
}
