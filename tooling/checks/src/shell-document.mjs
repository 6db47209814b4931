// @ts-check
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { markdownBlocks } from "./markdown-blocks.mjs";

/**
 * A document whose shell blocks run: the contents of its blocks marked `file=NAME`, and its shell blocks
 * marked `run` as one script.
 * @typedef {{ document: string, files: { name: string, text: string }[], script: string }} ShellDocument
 */

/**
 * Where a document runs: the folders that come first on PATH, and a free TCP port.
 * @typedef {{ commands: readonly string[], port: number }} Machine
 */

/** Maximum time of a document, in milliseconds. */
const TIMEOUT_MS = 240_000;

/**
 * Reads the shell blocks of a document.
 * @param {string} root
 * @param {string} document path relative to the root
 * @returns {ShellDocument | undefined} `undefined` if none of its shell blocks is marked `run`
 */
export function readShellDocument(root, document) {
  const blocks = markdownBlocks(readFileSync(join(root, document), "utf8"));
  const steps = blocks.filter(({ language, marks }) => language === "sh" && marks.includes("run"));
  if (steps.length === 0) return undefined;
  const files = blocks.flatMap(({ marks, code }) =>
    marks.filter((mark) => mark.startsWith("file=")).map((mark) => ({ name: mark.slice(5), text: `${code}\n` })),
  );
  const script = steps.map(({ line, code }) => `echo "# ${document}:${line}"\n${code}\n`).join("");
  return { document, files, script };
}

/**
 * Runs the blocks of a document in order in one shell, in an empty folder with an empty home folder. The first command
 * that fails ends it. Background processes are ended with it.
 * @param {ShellDocument} example
 * @param {Machine} machine
 * @returns {string[]} problems
 */
export function runShellDocument({ document, files, script }, { commands, port }) {
  const folder = mkdtempSync(join(tmpdir(), "switchyard-docs-"));
  const [cwd, home] = [join(folder, "project"), join(folder, "home")];
  for (const path of [cwd, home]) mkdirSync(path);
  for (const { name, text } of files) writeFileSync(join(cwd, name), text);
  const path = [...commands, process.env["PATH"]].join(delimiter);
  // Readers type the commands on a terminal, where runs use the environment `local`. The check has no terminal.
  const terminal = { SWITCHYARD_ENV: "local" };
  const env = { PATH: path, HOME: home, TMPDIR: tmpdir(), LANG: "C.UTF-8", PORT: String(port), ...terminal };
  const shell = ["-euo", "pipefail", "-c", `trap 'kill $(jobs -p) 2>/dev/null || true; wait' EXIT\n${script}`];
  // Without input, because bash takes an open pipe for a remote login and reads its start-up files.
  const run = spawnSync("bash", shell, {
    cwd,
    env,
    encoding: "utf8",
    timeout: TIMEOUT_MS,
    stdio: ["ignore", "pipe", "pipe"],
  });
  // Background processes that are ending may still write files.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  return run.status === 0 ? [] : [`${document} failed (${run.status ?? run.signal}):\n${run.stdout}${run.stderr}`];
}

/**
 * Writes a command `switchyard` that runs a built CLI.
 * @param {string} folder
 * @param {string} bin path of the built CLI
 */
export function writeCommand(folder, bin) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "switchyard");
  writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
  chmodSync(file, 0o755);
}
