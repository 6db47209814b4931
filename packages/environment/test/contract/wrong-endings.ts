import { type ChildProcess, spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { ExecOptions, ExecResult } from "@switchyard/contracts";
import { but, type Making, pause, type WrongEnvironment } from "./wrong-environment.ts";

/** A shell that ends only the process that it started. */
async function runAlone(
  { right }: Making,
  line: string,
  { timeoutMs = 0, isOver }: Pick<ExecOptions, "timeoutMs"> & { isOver(child: ChildProcess): Promise<unknown> },
): Promise<ExecResult> {
  const began = performance.now();
  const child = spawn("bash", ["-c", line], { cwd: right.workingDirectory, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    child.kill("SIGTERM");
  }, timeoutMs);
  await isOver(child);
  clearTimeout(timer);
  const ended = timedOut ? { exitCode: 143, signal: "SIGTERM" } : { exitCode: 0 };
  const durationMs = performance.now() - began;
  return { stdout, stderr: "", ...ended, timedOut, aborted: false, durationMs, droppedBytes: 0 };
}

/** A shell that sends a second SIGTERM to a command that has already received one. */
async function runSignalledTwice({ right }: Making, line: string, timeoutMs: number): Promise<ExecResult> {
  const began = performance.now();
  const child = await right.spawn(["bash", "-c", line]);
  const stdout = text(child.stdout);
  for (const [afterMs, signal] of [
    [timeoutMs, "SIGTERM"],
    [100, "SIGTERM"],
    [100, "SIGKILL"],
  ] as const) {
    await pause(afterMs);
    child.kill(signal);
  }
  const ended = { ...(await child.exited), stdout: await stdout, durationMs: performance.now() - began };
  return { ...ended, stderr: "", timedOut: true, aborted: false, droppedBytes: 0 };
}

function once(child: ChildProcess, event: "exit" | "close"): Promise<void> {
  return new Promise((resolve) => child.once(event, () => resolve()));
}

/** Opens an environment that does not find processes that left their group, because they have no mark. */
const unmarked = but(({ right }) => ({
  shell: (line, options) => right.shell(`unset SWITCHYARD_PROCESS_MARK; ${line}`, options),
}));

/** Environments that end commands incorrectly. */
export const wrongEndings: readonly WrongEnvironment[] = [
  {
    fault: "commands are killed without being asked",
    noticedBy: ["timeout", "timeout-grace", "output-endless"],
    factory: but(
      ({ right }) => ({
        shell: async (line, options) => killed(await right.shell(line.replace(/echo cleaned;/, ""), options)),
        exec: async (argv, options) => killed(await right.exec(argv, options)),
      }),
      { killGraceMs: 1 },
    ),
  },
  {
    fault: "nobody is told that the time was up",
    noticedBy: ["timeout-told", "timeout", "timeout-pipeline"],
    factory: but(({ right }) => ({
      shell: async (line, options) => ({ ...(await right.shell(line, options)), timedOut: false }),
    })),
  },
  {
    fault: "whoever ignores SIGTERM is left alone for long",
    noticedBy: ["timeout-ignored", "timeout-many", "timeout-name"],
    factory: but(() => ({}), { killGraceMs: 4_000 }),
  },
  {
    fault: "a command is asked to end twice",
    noticedBy: ["timeout-once"],
    factory: but((making) => ({ shell: (line, options) => runSignalledTwice(making, line, options?.timeoutMs ?? 0) })),
  },
  {
    fault: "the first process is ended alone",
    noticedBy: ["timeout-pipeline", "timeout-background", "timeout-daemon", "timeout-session"],
    factory: but((making) => ({
      shell: (line, options) =>
        runAlone(making, line, { timeoutMs: options?.timeoutMs, isOver: (child) => once(child, "exit") }),
    })),
  },
  {
    fault: "a process that leaves its group is lost",
    noticedBy: ["timeout-session", "dispose-sessions"],
    factory: unmarked,
  },
  {
    fault: "a process is left that only the subject's own count finds",
    noticedBy: ["timeout-session", "dispose-sessions"],
    factory: async (setting) => ({ ...(await but(() => ({}))(setting)), countProcesses: () => 1 }),
  },
  {
    fault: "a process is left, and the subject counts none itself",
    noticedBy: ["timeout-session", "dispose-sessions"],
    factory: async (setting) => ({ ...(await unmarked(setting)), countProcesses: undefined }),
  },
  {
    fault: "the end of the output is taken for the end of the command",
    noticedBy: ["timeout-closed-pipes"],
    factory: but((making) => ({
      shell: (line, options) =>
        runAlone(making, line, {
          timeoutMs: options?.timeoutMs,
          isOver: (child) => new Promise((resolve) => child.stdout?.once("end", resolve)),
        }),
    })),
  },
  {
    fault: "a time limit that is far away ends a command at once",
    noticedBy: ["timeout-none"],
    factory: but(({ right }) => ({
      shell: (line, options) => {
        const { timeoutMs = 0 } = options ?? {};
        return right.shell(line, { ...options, timeoutMs: timeoutMs > 2 ** 31 ? 1 : timeoutMs });
      },
    })),
  },
  {
    fault: "a command is waited for until nobody holds its output",
    noticedBy: ["clean-exit"],
    factory: but(() => ({}), { drainMs: 4_000 }),
  },
  {
    fault: "what a command leaves behind goes on",
    noticedBy: ["clean-exit"],
    factory: but((making) => ({
      shell: (line) => runAlone(making, line, { timeoutMs: 60_000, isOver: (child) => once(child, "exit") }),
    })),
  },
  {
    fault: "a signal that fired before is not looked at",
    noticedBy: ["abort-before", "spawn-signal"],
    factory: but(({ right }) => {
      const open = <T extends { signal?: AbortSignal | undefined }>(options: T | undefined): T | undefined =>
        options?.signal?.aborted === true ? { ...options, signal: undefined } : options;
      return {
        shell: (line, options) => right.shell(line, open(options)),
        exec: (argv, options) => right.exec(argv, open(options)),
        spawn: (argv, options) => right.spawn(argv, open(options)),
      };
    }),
  },
  {
    fault: "a signal is taken for the time limit",
    noticedBy: ["abort", "abort-before"],
    factory: but(({ right }) => ({
      shell: async (line, options) => {
        const result = await right.shell(line, options);
        return { ...result, aborted: false, timedOut: result.timedOut || result.aborted };
      },
    })),
  },
  {
    fault: "a signal ends all commands",
    noticedBy: ["abort-after"],
    factory: but(({ right }) => {
      const all = new AbortController();
      return {
        shell: (line, options) => {
          options?.signal?.addEventListener("abort", () => all.abort());
          return right.shell(line, { ...options, signal: all.signal });
        },
      };
    }),
  },
];

function killed(result: ExecResult): ExecResult {
  return result.signal === "SIGTERM" || result.timedOut ? { ...result, exitCode: 137, signal: "SIGKILL" } : result;
}

/** Environments that confuse calls, and those whose disposal ends nothing. */
export const wrongLifetimes: readonly WrongEnvironment[] = [
  {
    fault: "disposing twice fails",
    noticedBy: ["dispose"],
    factory: but(({ right }) => {
      let isDisposed = false;
      return {
        [Symbol.asyncDispose]: async () => {
          if (isDisposed) throw new Error("disposed already");
          isDisposed = true;
          await right[Symbol.asyncDispose]();
        },
      };
    }),
  },
  {
    fault: "disposal does nothing",
    noticedBy: ["closed-files", "closed-commands", "dispose-commands", "dispose-sessions", "dispose-spawned"],
    factory: but(() => ({ [Symbol.asyncDispose]: async () => {} })),
  },
  {
    fault: "files are read after disposal",
    noticedBy: ["closed-files"],
    factory: but(({ right }) => ({ exists: async (path) => right.exists(path).catch(() => true) })),
  },
  {
    fault: "it has no name, and its folder a slash",
    noticedBy: ["identity"],
    factory: but(({ right }) => ({ name: "", workingDirectory: `${right.workingDirectory}/` })),
  },
  {
    fault: "the version of the system is that of something else",
    noticedBy: ["identity-of-processes"],
    factory: but(() => ({ osVersion: "0.1" })),
  },
  {
    fault: "commands at the same time get the output of the first",
    noticedBy: ["commands-at-once", "output-fast"],
    factory: but(({ right }) => {
      let current: Promise<ExecResult> | undefined;
      return {
        shell: (line, options) => {
          current ??= right.shell(line, options).finally(() => {
            current = undefined;
          });
          return current;
        },
      };
    }),
  },
  {
    fault: "reads at the same time get the text of the first",
    noticedBy: ["calls-at-once", "write-many"],
    factory: but(({ right }) => {
      let current: Promise<string> | undefined;
      return {
        readFile: (path, options) => {
          current ??= right.readFile(path, options).finally(() => {
            current = undefined;
          });
          return current;
        },
      };
    }),
  },
  {
    fault: "one thing is done after another",
    noticedBy: ["slow-command"],
    factory: but(({ right }) => {
      let last: Promise<unknown> = pause(0);
      return {
        shell: (line, options) => {
          const next = last.then(() => right.shell(line, options));
          last = next;
          return next;
        },
      };
    }),
  },
];
