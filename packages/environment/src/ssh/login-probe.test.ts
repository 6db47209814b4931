import type { SpawnedProcess } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { createLoginProbe, type LoginProblem } from "./login-probe.ts";

interface Shell {
  readonly session: SpawnedProcess;
  /** Lines that the probe has sent. */
  readonly sent: string[];
}

/**
 * A login shell that prints given texts byte by byte, each after a line of input. `key` in a text is replaced by the
 * probe's key.
 */
function shellThatPrints(texts: readonly string[], endsAfter = false): Shell {
  const sent: string[] = [];
  const waiting = [...texts];
  let key = "";
  let output: ReadableStreamDefaultController<Uint8Array> | undefined;
  const stdout = new ReadableStream<Uint8Array>({
    start(controller) {
      output = controller;
    },
  });
  const stdin = new WritableStream<Uint8Array>({
    write(chunk) {
      const line = Buffer.from(chunk).toString();
      sent.push(line);
      key ||=
        line
          .match(/ (\w{16}) (\w{16}) replaced/)
          ?.slice(1)
          .join("") ?? "";
      for (const byte of Buffer.from(waiting.shift()?.replaceAll("key", key) ?? "")) output?.enqueue(Buffer.of(byte));
      if (endsAfter && waiting.length === 0) output?.close();
    },
  });
  const session = {
    ...{ pid: 1, stdin, stdout, stderr: new ReadableStream<Uint8Array>() },
    ...{ exited: Promise.resolve({ exitCode: 0 }), kill: () => {} },
    [Symbol.asyncDispose]: async () => {},
  };
  return { session, sent };
}

const REPLACED_LINE = expect.stringMatching(/^sh -c "printf .* replaced"\n$/);
const WAIT_MS = 10_000;

test.for<readonly [LoginProblem | undefined, string, readonly string[]]>([
  [undefined, "runs the script", ["key began\n", "key ready\n"]],
  [undefined, "runs the script after a greeting without a line end", ["Welcome key began\n", "key ready\n"]],
  [undefined, "repeats the command and runs the script", ["printf key\nkey began\n", "key ready\n"]],
  ["reads_input", "reads the first line before the script", ["key began\n", "key taken\n"]],
])("%s: the probe sends a second line, and no third, when a shell that %s reports the start", async (row) => {
  const [problem, , texts] = row;
  const { session, sent } = shellThatPrints(texts);
  expect(await createLoginProbe().ask(session, WAIT_MS)).toBe(problem);
  expect(sent).toEqual([REPLACED_LINE, "\n"]);
});

test("a shell that replaced the login shell receives only the first line", async () => {
  const { session, sent } = shellThatPrints(["Welcome\nkey replaced\n"]);
  expect(await createLoginProbe().ask(session, WAIT_MS)).toBe("replaced");
  expect(sent).toEqual([REPLACED_LINE]);
});

test("output after the shell's response does not change the result", async () => {
  const { session } = shellThatPrints(["key began\n", "key ready\nkey taken\nkey replaced\n"]);
  expect(await createLoginProbe().ask(session, WAIT_MS)).toBeUndefined();
});

test("a shell that exits, or does not respond in time, cannot run commands", async () => {
  const ended = shellThatPrints(["This account is not available.\n"], true);
  expect(await createLoginProbe().ask(ended.session, WAIT_MS)).toBe("ended");
  const silent = shellThatPrints(["key began\n", "working\n"]);
  expect(await createLoginProbe().ask(silent.session, 20)).toBe("silent");
});
