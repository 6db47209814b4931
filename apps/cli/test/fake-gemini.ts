/** Simulates one turn of the command `gemini --acp` 0.61.0, and stores its arguments and requests. */
export const GEMINI = `#!${process.execPath}
const fs = require("node:fs");
const note = (entry) => fs.appendFileSync("noted.jsonl", JSON.stringify(entry) + "\\n");
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const say = (text) => send({ method: "session/update", params: { sessionId: "s-1",
  update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } } });
let open;
note({ args: process.argv.slice(2) });
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === "initialize") send({ id, result: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] } });
  if (method === "session/new") send({ id, result: { sessionId: "s-1" } });
  if (method === "session/prompt") {
    open = id;
    note({ prompt: params.prompt[0].text });
    say("I ask. " + process.env.GEMINI_API_KEY);
    send({ id: 7, method: "session/request_permission", params: { sessionId: "s-1",
      toolCall: { toolCallId: "t", title: "cat made.txt", kind: "execute", rawInput: { command: "cat made.txt" } },
      options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }, { optionId: "no", name: "No", kind: "reject_once" }] } });
  }
  if (method === undefined) {
    note({ outcome: result.outcome });
    say("Done.");
    const token_count = { input_tokens: 2400, output_tokens: 68 };
    send({ id: open, result: { stopReason: "end_turn", _meta: { quota: { token_count, model_usage: [] } } } });
  }
});
`;
