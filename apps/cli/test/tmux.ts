import { randomUUID } from "node:crypto";
import { execa } from "execa";
import { expect, onTestFinished } from "vitest";
import { makeFolder, SHARED_CACHE } from "./start-switchyard.ts";

/** Terminal screen as a user sees it, after escape sequences are interpreted. */
export interface Screen {
  /** Returns the text on the screen and in its history. */
  shown(): Promise<string>;
  /** Waits until the screen shows a text. */
  until(text: string | RegExp): Promise<string>;
  /** Types a text. */
  type(text: string): Promise<void>;
  /** Presses a key by its name, such as `Enter`, `C-c`, `Tab`. */
  press(key: string): Promise<void>;
  /** Resizes the window to a number of columns. */
  resize(columns: number): Promise<void>;
  /** Returns an attribute of the window, such as `#{pane_title}`. */
  fact(format: string): Promise<string>;
  /** Waits until the command ends. Resolves with its exit code. */
  ended(): Promise<number>;
}

/** Maximum time to wait for a text. Long, because machines that run all tests at once are slow. */
const TIMEOUT_MS = 100_000;
/** Interval at which the screen is read. Each time starts a process, which takes long in a large test process. */
const INTERVAL_MS = 250;
/** Shell script that runs the command and prints its exit code, because tmux does not always know it. */
const WATCHED = 'trap : INT; "$@"; code=$?; echo; echo "ENDED-$code"; exec sleep 600';
const ENDED = /^ENDED-(\d+)$/m;

/** Returns the reason why tmux is not available; `undefined` if it is. */
export async function noTmux(): Promise<string | undefined> {
  const { failed } = await execa("tmux", ["-V"], { reject: false });
  return failed ? "needs tmux" : undefined;
}

/**
 * Starts a command on a screen of 100 columns (default) and 40 rows, with the given environment variables. The
 * command is ended after the test.
 */
export async function startOnScreen(
  argv: readonly string[],
  { env = {}, cwd, columns = 100 }: { env?: Readonly<Record<string, string>>; cwd?: string; columns?: number } = {},
): Promise<Screen> {
  const socket = `switchyard-${randomUUID()}`;
  onTestFinished(async () => void (await execa("tmux", ["-L", socket, "kill-server"], { reject: false })));
  const own = { HOME: await makeFolder(), LANG: "C.UTF-8", ...SHARED_CACHE };
  const variables = { PATH: process.env["PATH"] ?? "", ...own, ...env };
  const folder = cwd ?? (await makeFolder());
  const tmux = async (...words: string[]): Promise<string> => {
    const { stdout } = await execa("tmux", ["-u", "-L", socket, "-f", "/dev/null", ...words], {
      ...{ env: variables, extendEnv: false, cwd: folder },
    });
    return stdout;
  };
  const options = ["set-option", "-g", "set-clipboard", "on", ";"];
  const watched = ["sh", "-c", WATCHED, "sh", ...argv];
  await tmux(...options, "new-session", "-d", "-x", String(columns), "-y", "40", "-c", folder, ...watched);
  const shown = (): Promise<string> => tmux("capture-pane", "-p", "-J", "-S", "-2000");
  const until = async (text: string | RegExp): Promise<string> => {
    let last = "";
    const look = async (): Promise<string> => {
      last = await shown();
      return last;
    };
    await expect.poll(look, { timeout: TIMEOUT_MS, interval: INTERVAL_MS }).toMatch(text);
    return last;
  };
  const fact = (format: string): Promise<string> => tmux("display-message", "-p", format);
  return {
    shown,
    fact,
    until,
    type: async (text) => void (await tmux("send-keys", "-l", "--", text)),
    press: async (key) => void (await tmux("send-keys", key)),
    resize: async (columns) => void (await tmux("resize-window", "-x", String(columns), "-y", "40")),
    ended: async () => Number(ENDED.exec(await until(ENDED))?.[1]),
  };
}
