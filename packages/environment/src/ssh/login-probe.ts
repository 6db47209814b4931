import { randomBytes } from "node:crypto";
import type { SpawnedProcess } from "@switchyard/contracts";
import { settlesWithin } from "../local/process/wait-until.ts";

/** Reason why the login shell of a machine cannot run commands. */
export type LoginProblem = "ended" | "replaced" | "reads_input" | "silent";

/** Tests whether the login shell of an ssh connection can run commands. */
export interface LoginProbe {
  /** Remote script that prints the result of the test, and then runs until its input ends. */
  readonly script: string;
  /** Resolves with `undefined` if commands can run, otherwise with the reason. */
  ask(session: SpawnedProcess, timeoutMs: number): Promise<LoginProblem | undefined>;
}

/**
 * Maximum output of a login shell's start files, in characters. The response of the test command follows this output.
 */
const MAX_GREETING_CHARS = 1024 * 1024;

/**
 * Creates a login probe. The probe sends one line of input immediately, and another when the script reports its start.
 * The first line detects two problems without waiting for a timeout: if startup files of the shell read input, they
 * consume the line; if another shell has replaced the login shell, this shell executes the line.
 */
export function createLoginProbe(): LoginProbe {
  const key = randomBytes(16).toString("hex");
  // The key is printed in two parts. Otherwise an echo of the command itself would look like a response.
  const print = (step: string): string => `printf '%s%s %s\\n' ${key.slice(0, 16)} ${key.slice(16)} ${step}`;
  const replaced = `sh -c "${print("replaced")}"`;
  return {
    script: `${print("began")}
IFS= read -r sy_l
case $sy_l in *${key.slice(16)}*) ${print("ready")} ;; *) ${print("taken")} ;; esac
exec cat >/dev/null
`,
    async ask(session, timeoutMs) {
      const input = session.stdin.getWriter();
      const send = (line: string): void => void input.write(Buffer.from(`${line}\n`)).catch(() => {});
      input.closed.catch(() => {});
      send(replaced);
      let problem: LoginProblem | undefined = "silent";
      const listening = listen(session.stdout, key, {
        began: () => send(""),
        over(found) {
          problem = found;
        },
      });
      await settlesWithin(listening, timeoutMs);
      input.releaseLock();
      return problem;
    },
  };
}

interface ProbeHandlers {
  began(): void;
  over(problem: LoginProblem | undefined): void;
}

const PROBLEMS: Readonly<Record<string, LoginProblem | undefined>> = {
  ready: undefined,
  taken: "reads_input",
  replaced: "replaced",
};

/** Resolves when the result of the test is known. Continues to read afterwards, so that the pipe does not fill up. */
function listen(stdout: ReadableStream<Uint8Array>, key: string, handlers: ProbeHandlers): Promise<void> {
  return new Promise((resolve) => {
    const over = (problem: LoginProblem | undefined): void => {
      handlers.over(problem);
      resolve();
    };
    const read = async (): Promise<void> => {
      let output = "";
      let isOver = false;
      const reader = stdout.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return isOver ? undefined : over("ended");
        if (isOver) continue;
        output = `${output}${Buffer.from(value).toString("latin1")}`;
        for (const [line, step = ""] of output.matchAll(new RegExp(`${key} (\\w+)\\n`, "g"))) {
          output = output.slice(output.indexOf(line) + line.length);
          if (step === "began") handlers.began();
          isOver ||= Object.hasOwn(PROBLEMS, step);
          if (isOver) {
            over(PROBLEMS[step]);
            break;
          }
        }
        output = output.slice(-MAX_GREETING_CHARS);
      }
    };
    read().catch(() => over("ended"));
  });
}
