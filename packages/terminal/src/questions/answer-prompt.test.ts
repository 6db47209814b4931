import { createMasker } from "@switchyard/secrets";
import { expect, test } from "vitest";
import type { Terminal, TextOutput } from "../streams/terminal.ts";
import { createAnswerPrompt } from "./answer-prompt.ts";

const SECRET = "hunter2-0123456789";

/** Creates a terminal whose streams are pipes, so that no user can be asked. */
function createPipes(): { terminal: Terminal; written: () => string } {
  let written = "";
  const open = new AbortController().signal;
  const output: TextOutput = {
    ...{ isTerminal: false, hasColour: false, columns: 80, closed: open, readerGone: open },
    write: (text) => {
      written += text;
    },
    flushed: () => Promise.resolve(),
  };
  const stdin = {
    isTerminal: false,
    readAll: () => Promise.resolve(""),
    dropTyped: () => Promise.resolve(),
    readLine: () => Promise.resolve(undefined),
    readKeys: () => undefined,
  };
  return { terminal: { stdin, stdout: output, stderr: output, env: {}, now: () => 0 }, written: () => written };
}

test("the secrets of a question that cannot be answered are masked before the question is printed", async () => {
  const { terminal, written } = createPipes();
  const masker = createMasker([SECRET]);
  const stopping = new AbortController();
  const answer = createAnswerPrompt(terminal, {
    mask: async (prompt) => masker.maskData(prompt),
    ...{ asksApprovals: true, hasDenials: false, onOpenQuestion: () => stopping.abort(new Error("stopped")) },
  });
  const question = { parts: [{ type: "text", text: `Is ${SECRET} still valid?` }] } as const;
  await expect(answer(question, stopping)).rejects.toThrow("stopped");
  expect(written()).toContain("Is ***REDACTED*** still valid?");
  expect(written()).not.toContain(SECRET);
});
