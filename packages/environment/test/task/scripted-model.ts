import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

/** The project to repair: shell scripts, so that any environment with a POSIX shell can run it. */
export const PROJECT: string = join(import.meta.dirname, "../../../../fixtures/shell-project");

/** The repaired script. */
export const REPAIRED: string = readFileSync(join(PROJECT, "greet.sh"), "utf8").replace("$*", '"$@"');

/** The calls of the task, in turn. */
const CALLS = [
  { name: "shell", arguments: { command: "sh test.sh" } },
  { name: "read_file", arguments: { file_path: "greet.sh" } },
  { name: "grep", arguments: { pattern: "for name in" } },
  { name: "write_file", arguments: { file_path: "greet.sh", content: REPAIRED } },
  { name: "shell", arguments: { command: "sh test.sh" } },
] as const;

/** Expected result of each call, which lets the model make the next call. */
const EXPECTED_RESULTS = [/the test fails/, /for name in/, /greet\.sh/, /./, /^the test passes/] as const;

/** A model that repairs the project step by step, as long as the tools return the expected results. */
export interface ScriptedModel {
  /** Address for `--base-url`. */
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/** Starts its server, which speaks chat completions, on a free loopback port. */
export async function startScriptedModel(): Promise<ScriptedModel> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { messages } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const event of renderAnswer(messages)) response.write(`data: ${JSON.stringify(event)}\n\n`);
      response.end("data: [DONE]\n\n");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Message {
  readonly role: string;
  readonly content: string;
}

function renderAnswer(messages: readonly Message[]): object[] {
  const results = messages.filter(({ role }) => role === "tool").map(({ content }) => content);
  const wrong = results.findIndex((content, index) => EXPECTED_RESULTS[index]?.test(content) !== true);
  const call = wrong === -1 ? CALLS[results.length] : undefined;
  const base = { id: `answer-${results.length}`, object: "chat.completion.chunk", created: 1, model: "scripted" };
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  if (call === undefined) {
    const content = wrong === -1 ? "The test passes." : `Step ${wrong + 1} told me: ${results[wrong]}`;
    const choice = { index: 0, delta: { role: "assistant", content }, finish_reason: "stop" };
    return [{ ...base, choices: [choice], usage }];
  }
  const toolCall = { name: call.name, arguments: JSON.stringify(call.arguments) };
  const tool = { index: 0, id: `call-${results.length}`, type: "function", function: toolCall };
  const choice = { index: 0, delta: { role: "assistant", tool_calls: [tool] }, finish_reason: "tool_calls" };
  return [{ ...base, choices: [choice], usage }];
}
