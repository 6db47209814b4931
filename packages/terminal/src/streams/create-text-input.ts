import { decodeText, EngineError, fileProblem } from "@switchyard/contracts";
import { createLineReader } from "./create-line-reader.ts";
import { readKeys } from "./read-keys.ts";
import type { TextInput } from "./terminal.ts";

/** Process whose standard input is read, such as the global `process`. */
export type InputProcess = Pick<NodeJS.Process, "stdin" | "emit" | "kill" | "pid" | "on" | "removeListener">;

/**
 * Creates the input for the standard input of a process. It is opened only when it is used. Ctrl-C and Ctrl-Z have
 * their usual effect while keys are read.
 */
export function createTextInput(host: InputProcess): TextInput {
  return {
    get isTerminal() {
      return host.stdin.isTTY === true;
    },
    async readAll() {
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of host.stdin) chunks.push(Buffer.from(chunk));
        return decodeText(Buffer.concat(chunks), "standard input");
      } catch (error) {
        if (EngineError.is(error)) throw error;
        const details = { path: "standard input", problem: fileProblem(error) };
        throw new EngineError("input.unreadable", details, { cause: error });
      }
    },
    ...createLineReader(
      () => host.stdin,
      (signal) => host.emit(signal, signal),
    ),
    readKeys: (listener) =>
      readKeys(host.stdin, {
        interrupt: () => host.emit("SIGINT", "SIGINT"),
        suspend: () => host.kill(host.pid, "SIGTSTP"),
        onContinue: (onContinue) => {
          host.on("SIGCONT", onContinue);
          return () => host.removeListener("SIGCONT", onContinue);
        },
      })(listener),
  };
}
