import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { onTestFinished } from "vitest";
import { isAlwaysResuming, resumeWords, runIds, runsFolder, whileKillable } from "./always-resume.ts";
import { runInProcess } from "./run-in-process.ts";

/** Path of the built command. */
export const BIN: string = resolve(import.meta.dirname, "../dist/bin.cjs");

/** Options for running the command. */
export interface CommandOptions {
  /**
   * Environment variables in addition to PATH. No other variables are inherited. `SWITCHYARD_ENV` is `local` unless it is
   * given here.
   */
  env?: Readonly<Record<string, string>>;
  /** Working folder. Default: a new folder. */
  cwd?: string;
  /** Standard input. Default: empty. */
  input?: string;
}

/** Options for starting the command in a process of its own. */
export interface StartOptions extends CommandOptions {
  /** Path of the built program. Default: this package's build. */
  bin?: string;
  /** Whether standard input stays open. */
  keepsInput?: boolean;
}

/** Environment variables with which the commands of all tests share a cache, so that the program is compiled only once. */
export const SHARED_CACHE = { XDG_CACHE_HOME: join(tmpdir(), "switchyard-test-code") };

/** Creates a folder with files, which is removed after the test. */
export async function makeFolder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

/** Starts the built command in a separate environment: without API keys, home folder and settings of this machine. */
export async function startSwitchyard(words: readonly string[], options: StartOptions = {}) {
  const { env, cwd } = await fillOptions(words, options);
  const command = execa(process.execPath, [options.bin ?? BIN, ...words], {
    cwd,
    env,
    extendEnv: false,
    reject: false,
    forceKillAfterDelay: 5_000,
    ...(options.keepsInput === true
      ? { stdin: "pipe" as const, buffer: { stdout: false } }
      : { input: options.input ?? "" }),
  });
  return { command };
}

/** Commands that would otherwise use a sandbox, because the tests have no terminal. */
const SANDBOXED: readonly (string | undefined)[] = ["run", "mcp"];

/** Returns the environment variables and the folder of a command. */
async function fillOptions(
  [name]: readonly string[],
  { env, cwd }: CommandOptions,
): Promise<{ env: Record<string, string>; cwd: string }> {
  const local = SANDBOXED.includes(name) ? { SWITCHYARD_ENV: "local" } : {};
  const variables = { PATH: process.env["PATH"] ?? "", HOME: await makeFolder(), ...SHARED_CACHE, ...local, ...env };
  return { env: variables, cwd: cwd ?? (await makeFolder()) };
}

/** Result of a command that has ended. */
export interface Ended {
  exitCode: number | undefined;
  stdout: string;
  stderr: string;
}

/** Runs a command of the built program until it ends, in the process of the tests. */
export async function switchyard(words: readonly string[], options: CommandOptions = {}): Promise<Ended> {
  if (isAlwaysResuming()) return await switchyardProcess(words, options);
  return await runInProcess({ words, ...(await fillOptions(words, options)), input: options.input ?? "" });
}

/**
 * Runs the built command until it ends, in a process of its own: for tests of what the process does, such as its exit
 * and its output streams, and of variables that Node reads.
 */
export async function switchyardProcess(words: readonly string[], options: StartOptions = {}): Promise<Ended> {
  if (isAlwaysResuming() && words[0] === "run") return await runAlwaysResumed(words, options);
  const { command } = await startSwitchyard(words, options);
  const { exitCode, stdout, stderr } = await command;
  return { exitCode, stdout: String(stdout), stderr: String(stderr) };
}

/**
 * Runs a task, and resumes it in a new process whenever the command is killed. Concatenates the outputs of all
 * processes, without truncated lines.
 */
async function runAlwaysResumed(words: readonly string[], options: StartOptions): Promise<Ended> {
  const home = options.env?.["HOME"] ?? (await makeFolder());
  const more = { ...options, cwd: options.cwd ?? (await makeFolder()), env: { ...options.env, HOME: home } };
  const folder = runsFolder(words, home);
  const before = await runIds(folder);
  let next = words;
  let shown = "";
  for (;;) {
    const { command } = await startSwitchyard(next, more);
    const { exitCode, signal, stdout, stderr } = await whileKillable(command);
    const output = String(stdout);
    if (signal !== "SIGKILL") return { exitCode, stdout: shown + output, stderr: String(stderr) };
    shown += output.slice(0, output.lastIndexOf("\n") + 1);
    const [runId] = (await runIds(folder)).filter((id) => !before.includes(id));
    if (runId === undefined) throw new Error(`the run that was killed is not there: ${String(stderr)}`);
    next = resumeWords(words, runId);
  }
}

/** Returns whether a process is running. A zombie does not count. Linux only. */
export async function isProcessRunning(pid: string): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
  return stat !== "" && !/\) [ZX] /.test(stat);
}
