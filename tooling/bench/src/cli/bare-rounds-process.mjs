// @ts-check
// Measures the minimum cost of a round with a command: the provider of the AI SDK calls the model, the command is
// spawned, and its output is added to the history. `bare-rounds-process.mjs <address> <prompt>`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";

/** @import { LanguageModelV3FunctionTool, LanguageModelV3Message, LanguageModelV3StreamPart } from "@ai-sdk/provider" */

const [address = "", prompt = ""] = process.argv.slice(2);
const model = createOpenAICompatible({ name: "bench", baseURL: `${address}/v1`, apiKey: "a-key-of-nobody" })("m");

/** @type {readonly LanguageModelV3FunctionTool[]} */
const TOOLS = [
  {
    type: "function",
    name: "shell",
    description: "Runs a command.",
    inputSchema: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
  },
];
/** @type {LanguageModelV3Message[]} */
const history = [{ role: "user", content: [{ type: "text", text: prompt }] }];

/** @typedef {Extract<LanguageModelV3StreamPart, { type: "tool-call" }>} Call */

/** @returns {Promise<{ text: string, call: Call | undefined }>} */
async function ask() {
  const { stream } = await model.doStream({ prompt: history, tools: [...TOOLS] });
  let text = "";
  /** @type {Call | undefined} */
  let call;
  for await (const part of stream) {
    if (part.type === "text-delta") text += part.delta;
    if (part.type === "tool-call") call = part;
  }
  return { text, call };
}

/** @param {string} command */
async function run(command) {
  const env = { PATH: process.env["PATH"] ?? "", SHLVL: "1" };
  const child = spawn("bash", ["-c", command], { env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += String(chunk);
  });
  await once(child, "close");
  return output;
}

for (;;) {
  const { text, call } = await ask();
  if (call === undefined) {
    console.log(text);
    break;
  }
  const { toolCallId, toolName } = call;
  const input = JSON.parse(call.input);
  const value = await run(input.command);
  history.push(
    { role: "assistant", content: [{ type: "tool-call", toolCallId, toolName, input }] },
    { role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output: { type: "text", value } }] },
  );
}
