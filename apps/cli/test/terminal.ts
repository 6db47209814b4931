import { execa } from "execa";
import { BIN, makeFolder, SHARED_CACHE, type StartOptions } from "./start-switchyard.ts";

/** Python program that runs a command on a new pseudo-terminal and connects it with the pipes of the test. */
const ON_TERMINAL = `
import fcntl, os, pty, struct, sys, termios
def copy(fd):
    return os.read(fd, 65536)
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    os.execvp(sys.argv[1], sys.argv[1:])
try:
    pty._copy(fd, copy, copy)
except OSError:
    pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

/** Command on a pseudo-terminal. */
export interface Terminal {
  /** Waits until a text is shown after the text of the previous call. Resolves with the output in between. */
  until(text: string): Promise<string>;
  /** Types a text. */
  type(text: string): void;
  /** Closes the terminal, like closing its window. */
  hangUp(): void;
  /** Waits until the command ends. */
  end(): Promise<{ exitCode: number | undefined; shown: string }>;
}

/** Returns the reason why pseudo-terminals are not available; `undefined` if they are. */
export async function noTerminal(): Promise<string | undefined> {
  const { failed } = await execa("python3", ["-c", "import os, pty; os.waitstatus_to_exitcode"], { reject: false });
  return failed ? "needs python3 (3.9 or newer) for a pseudo-terminal" : undefined;
}

/** Shell script that survives its terminal and stores the command's exit code. */
const TELL_EXIT = 'trap "" HUP; file=$1; shift; "$@"; echo $? > "$file"';

/** Options for starting a command on a terminal. */
export interface TerminalOptions extends StartOptions {
  /** File to which the command's exit code is written. */
  exitCodeFile?: string;
}

/** Starts the built command on a terminal of 100 columns, in a separate environment. */
export async function startOnTerminal(words: readonly string[], options: TerminalOptions = {}): Promise<Terminal> {
  const { exitCodeFile } = options;
  const through = exitCodeFile === undefined ? [] : ["sh", "-c", TELL_EXIT, "sh", exitCodeFile];
  const own = { HOME: await makeFolder(), TERM: "xterm", NO_COLOR: "1", ...SHARED_CACHE };
  const command = execa("python3", ["-c", ON_TERMINAL, ...through, process.execPath, BIN, ...words], {
    cwd: options.cwd ?? (await makeFolder()),
    env: { PATH: process.env["PATH"] ?? "", ...own, ...options.env },
    extendEnv: false,
    reject: false,
    forceKillAfterDelay: 5_000,
    stdin: "pipe",
    all: true,
    buffer: false,
  });
  let shown = "";
  let seen = 0;
  let isOver = false;
  let look = (): void => {};
  command.all.on("data", (chunk) => {
    shown += String(chunk);
    look();
  });
  const ended = command.then((result) => {
    isOver = true;
    look();
    return result;
  });
  return {
    until: (text) =>
      new Promise((resolve, reject) => {
        look = () => {
          const at = shown.indexOf(text, seen);
          if (at >= 0) {
            const between = shown.slice(seen, at);
            seen = at + text.length;
            look = () => {};
            resolve(between);
          } else if (isOver) reject(new Error(`${JSON.stringify(text)} was never shown; but this was:\n${shown}`));
        };
        look();
      }),
    type: (text) => void command.stdin.write(text),
    hangUp: () => void command.kill("SIGKILL"),
    end: async () => {
      const { exitCode } = await ended;
      return { exitCode, shown };
    },
  };
}
