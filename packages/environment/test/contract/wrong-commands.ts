import { EngineError, type ExecOptions, type ExecResult, type ExecutionEnvironment } from "@switchyard/contracts";
import { but, type Making, type WrongEnvironment } from "./wrong-environment.ts";

/** Changes how commands are run, programs and lines alike. */
function running(change: (options: ExecOptions) => ExecOptions): (making: Making) => Partial<ExecutionEnvironment> {
  return ({ right }) => ({
    exec: (argv, options = {}) => right.exec(argv, change(options)),
    shell: (line, options = {}) => right.shell(line, change(options)),
  });
}

/** Changes the results of commands. */
function resulting(change: (result: ExecResult) => ExecResult): (making: Making) => Partial<ExecutionEnvironment> {
  return ({ right }) => ({
    exec: async (argv, options) => change(await right.exec(argv, options)),
    shell: async (line, options) => change(await right.shell(line, options)),
  });
}

const SCRIPT = 'exec "$@"';

/** Environments that start commands incorrectly. */
export const wrongStarts: readonly WrongEnvironment[] = [
  {
    fault: "arguments pass through a shell",
    noticedBy: ["exec-arguments", "exec-missing", "exec-not-executable", "exec-refused"],
    factory: but(({ right }) => ({ exec: (argv, options) => right.shell([...argv].join(" "), options) })),
  },
  {
    fault: "empty arguments are left out",
    noticedBy: ["exec-arguments"],
    factory: but(({ right }) => ({
      exec: (argv, options) =>
        right.exec(
          argv.filter((argument) => argument !== ""),
          options,
        ),
    })),
  },
  {
    fault: "a program gets a hundred arguments at most",
    noticedBy: ["exec-many-arguments"],
    factory: but(({ right }) => ({ exec: (argv, options) => right.exec(argv.slice(0, 100), options) })),
  },
  {
    fault: "a program that is not there has exit code 127",
    noticedBy: ["exec-missing", "exec-not-executable", "exec-program-of-workspace"],
    factory: but(({ right }) => ({
      exec: (argv, options) => right.exec(argv.length === 0 ? [] : ["sh", "-c", SCRIPT, "sh", ...argv], options),
    })),
  },
  {
    fault: "a line in place of a list is run",
    noticedBy: ["exec-refused"],
    factory: but(({ right }) => ({
      exec: (argv, options) => (typeof argv === "string" ? right.shell(argv, options) : right.exec(argv, options)),
    })),
  },
  {
    fault: "programs are looked for in the workspace",
    noticedBy: ["exec-program-of-workspace"],
    factory: but(
      running((options) => ({
        ...options,
        env: { ...options.env, set: { PATH: `${process.env["PATH"]}:.`, ...options.env?.set } },
      })),
    ),
  },
  {
    fault: "a command line is split at its spaces",
    noticedBy: ["shell-language", "shell-errors", "shell-apart", "golden-commands"],
    factory: but(({ right }) => ({ shell: (line, options) => right.exec(line.split(" "), options) })),
  },
  {
    fault: "a command line that begins with a dash is an option",
    noticedBy: ["shell-errors"],
    factory: but(({ right }) => ({ shell: (line, options) => right.exec(["bash", "-c", line], options) })),
  },
  {
    fault: "the shell is not bash",
    noticedBy: ["shell-bash"],
    factory: but(({ right }) => ({ shell: (line, options) => right.shell(`unset BASH_VERSION; ${line}`, options) })),
  },
  {
    fault: "the shell remembers its variables",
    noticedBy: ["shell-apart"],
    factory: but(({ right }) => {
      let before = "";
      return {
        shell: (line, options) => {
          const script = `${before}${line}`;
          before += (line.match(/export \w+=\w+;/g) ?? []).join(" ");
          return right.shell(script, options);
        },
      };
    }),
  },
  {
    fault: "files that were read are remembered",
    noticedBy: ["commands-and-files"],
    factory: but(({ right }) => {
      const remembered = new Map<string, Promise<string>>();
      return {
        readFile: (path, options) => {
          const text = remembered.get(path) ?? right.readFile(path, options);
          remembered.set(path, text);
          return text;
        },
      };
    }),
  },
  {
    fault: "every command runs in the workspace itself",
    noticedBy: ["cwd", "cwd-refused", "paths-outside-cwd", "links-out-cwd"],
    factory: but(running((options) => ({ ...options, cwd: undefined }))),
  },
  {
    fault: "the input gets a line end",
    noticedBy: ["stdin", "stdin-large", "commands-at-once"],
    factory: but(
      running((options) => (options.stdin === undefined ? options : { ...options, stdin: `${options.stdin}\n` })),
    ),
  },
  {
    fault: "each program of a line reads the whole input",
    noticedBy: ["stdin-once"],
    factory: but(({ right }) => ({
      shell: async (line, options) => {
        if (options?.stdin === undefined) return right.shell(line, options);
        await right.writeFile("input", options.stdin);
        return right.shell(line.replaceAll("cat", "cat input"), options);
      },
    })),
  },
  {
    fault: "there is always something to read",
    noticedBy: ["stdin-none"],
    factory: but(running((options) => ({ ...options, stdin: options.stdin ?? "y\n" }))),
  },
  {
    fault: "the input is text",
    noticedBy: ["stdin-every-byte"],
    factory: but(
      running((options) =>
        options.stdin === undefined ? options : { ...options, stdin: Buffer.from(options.stdin).toString() },
      ),
    ),
  },
  {
    fault: "a million bytes of input are enough",
    noticedBy: ["stdin-large"],
    factory: but(running((options) => ({ ...options, stdin: options.stdin?.slice(0, 1_000_000) }))),
  },
];

/** Environments that report the exit of commands incorrectly. */
export const wrongResults: readonly WrongEnvironment[] = [
  {
    fault: "both streams are one",
    noticedBy: ["exec-result", "output-whole", "output-fast", "commands-at-once"],
    factory: but(resulting((result) => ({ ...result, stdout: result.stdout + result.stderr, stderr: "" }))),
  },
  {
    fault: "exit code 255 is a lost connection",
    noticedBy: ["exec-codes"],
    factory: but(
      resulting((result) => {
        if (result.exitCode !== 255) return result;
        throw new EngineError("environment.unavailable", { environment: "far away", problem: "it is gone" });
      }),
    ),
  },
  {
    fault: "codes beyond 128 are signals",
    noticedBy: ["exec-codes"],
    factory: but(
      resulting((result) => (result.exitCode > 128 && result.exitCode < 160 ? { ...result, exitCode: 1 } : result)),
    ),
  },
  {
    fault: "no signal is told",
    noticedBy: ["exec-signals", "timeout", "timeout-ignored"],
    factory: but(resulting(({ signal: _, ...result }) => result)),
  },
  {
    fault: "commands take no time",
    noticedBy: ["duration"],
    factory: but(resulting((result) => ({ ...result, durationMs: 0 }))),
  },
  {
    fault: "the end of the output is trimmed",
    noticedBy: ["output-whole", "output-exact", "exec-result", "commands-and-files", "golden-commands"],
    factory: but(resulting((result) => ({ ...result, stdout: result.stdout.trimEnd() }))),
  },
  {
    fault: "commands run at a terminal",
    noticedBy: ["output-exact", "golden-commands"],
    factory: but(resulting((result) => ({ ...result, stdout: result.stdout.replaceAll("\n", "\r\n") }))),
  },
  {
    fault: "five million characters are bounded enough",
    noticedBy: ["output-bounded", "output-bounded-characters", "output-told", "output-endless"],
    factory: but(running((options) => ({ ...options, maxOutputChars: 5_000_000 }))),
  },
  {
    fault: "only the head is kept",
    noticedBy: ["output-bounded"],
    factory: but(({ right }) => ({
      shell: async (line, options) => {
        const result = await right.shell(line, { ...options, maxOutputChars: 5_000_000 });
        const stdout = result.stdout.slice(0, options?.maxOutputChars ?? 256_000);
        return { ...result, stdout, droppedBytes: result.stdout.length - stdout.length };
      },
    })),
  },
  {
    fault: "output is cut wherever it is too long",
    noticedBy: ["output-bounded-characters"],
    factory: but(({ right }) => ({
      exec: async (argv, options = {}) => {
        const { maxOutputChars = 256_000 } = options;
        const result = await right.exec(argv, { ...options, maxOutputChars: 5_000_000 });
        return { ...result, stdout: result.stdout.slice(0, maxOutputChars) };
      },
    })),
  },
  {
    fault: "whoever listens is told what is kept",
    noticedBy: ["output-told"],
    factory: but(({ right }) => ({
      shell: async (line, { onOutput, ...options } = {}) => {
        const result = await right.shell(line, options);
        for (const stream of ["stdout", "stderr"] as const) onOutput?.({ stream, text: result[stream] });
        return result;
      },
    })),
  },
  {
    fault: "whoever listens is told at the end",
    noticedBy: ["output-arrives"],
    factory: but(({ right }) => ({
      shell: async (line, { onOutput, ...options } = {}) => {
        const result = await right.shell(line, { ...options, timeoutMs: 3_000 });
        onOutput?.({ stream: "stdout", text: result.stdout });
        return result;
      },
    })),
  },
  {
    fault: "what is no UTF-8 is left out",
    noticedBy: ["output-invalid-utf8"],
    factory: but(resulting((result) => ({ ...result, stdout: result.stdout.replaceAll("\uFFFD", "") }))),
  },
  {
    fault: "each piece of output is a text of its own",
    noticedBy: ["output-split-characters"],
    factory: but(({ right }) => ({
      shell: (line, { onOutput, ...options } = {}) =>
        right.shell(line, {
          ...options,
          onOutput: ({ stream, text }) => onOutput?.({ stream, text: text.replace(/[^\0-\x7f]/gu, "\uFFFD\uFFFD") }),
        }),
    })),
  },
  {
    fault: "what a listener throws is swallowed",
    noticedBy: ["output-listener"],
    factory: but(({ right }) => ({
      shell: (line, { onOutput, ...options } = {}) =>
        right.shell(line, {
          ...options,
          timeoutMs: 1_000,
          onOutput: (chunk) => {
            try {
              onOutput?.(chunk);
            } catch {
              // The fault.
            }
          },
        }),
    })),
  },
  {
    fault: "the output of a short command is lost now and then",
    noticedBy: ["output-fast", "commands-at-once"],
    factory: but(({ right }) => {
      let count = 0;
      return {
        shell: async (line, options) => {
          const result = await right.shell(line, options);
          return ++count % 23 === 0 ? { ...result, stdout: "" } : result;
        },
      };
    }),
  },
];

/** Environments that give commands wrong variables. */
export const wrongVariables: readonly WrongEnvironment[] = [
  {
    fault: "values are written into the line",
    noticedBy: ["variables-set", "variables-secret"],
    factory: but(({ right }) => ({
      shell: (line, options) => {
        const exports = Object.entries(options?.env?.set ?? {}).map(([name, value]) => `export ${name}="${value}"; `);
        return right.shell(exports.join("") + line, { ...options, env: { ...options?.env, set: {} } });
      },
    })),
  },
  {
    fault: "what is set stays set",
    noticedBy: ["variables-set"],
    factory: but(({ right }) => {
      const filtered: Record<string, string> = {};
      return {
        shell: (line, options) => {
          Object.assign(filtered, options?.env?.set);
          return right.shell(line, { ...options, env: { ...options?.env, set: { ...filtered } } });
        },
      };
    }),
  },
  {
    fault: "secrets of the host pass",
    noticedBy: ["variables-all", "variables-core", "variables-none", "variables-lists"],
    factory: but(({ right, variables }) => ({
      shell: (line, options) =>
        right.shell(line, {
          ...options,
          env: { ...options?.env, allow: [...(options?.env?.allow ?? []), ...Object.keys(variables)] },
        }),
    })),
  },
  {
    fault: "there is no home",
    noticedBy: ["variables-core"],
    factory: but(({ right }) => ({
      shell: (line, options) =>
        right.shell(line, { ...options, env: { ...options?.env, deny: [...(options?.env?.deny ?? []), "HOME"] } }),
    })),
  },
  {
    fault: "without variables there are no programs",
    noticedBy: ["variables-none"],
    factory: but(
      running((options) =>
        options.env?.policy === "none"
          ? { ...options, env: { ...options.env, set: { PATH: "/nowhere", ...options.env.set } } }
          : options,
      ),
    ),
  },
  {
    fault: "names are compared by their case",
    noticedBy: ["variables-lists"],
    factory: but(({ right }) => ({
      shell: (line, options) => {
        const allow = options?.env?.allow?.filter((name) => name === "CONTRACT_PLAIN") ?? [];
        return right.shell(line, { ...options, env: { ...options?.env, allow } });
      },
    })),
  },
  {
    fault: "the host's variables win",
    noticedBy: ["variables-over"],
    factory: but(({ right, variables }) => ({
      shell: (line, options) => {
        const set = Object.entries(options?.env?.set ?? {}).filter(([name]) => !Object.hasOwn(variables, name));
        return right.shell(line, { ...options, env: { ...options?.env, set: Object.fromEntries(set) } });
      },
    })),
  },
];
