import { createServer, type Server, type ServerResponse } from "node:http";

const COMMAND = "awk '{ sum += $1 } END { print sum }' numbers.txt > sum.txt && cat sum.txt";

/** Simulates a model's API on loopback: requests one command, then responds with the command's output. */
export async function startScriptedModel(): Promise<{ baseUrl: string; server: Server }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => answer(response, Buffer.concat(chunks).toString("utf8").includes('"tool_result"')));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, server };
}

function answer(response: ServerResponse, hasRun: boolean): void {
  const send = (event: { type: string; [field: string]: unknown }): void => {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  };
  response.writeHead(200, { "content-type": "text/event-stream" });
  const usage = { input_tokens: 1_000, output_tokens: 0 };
  const message = {
    id: hasRun ? "m2" : "m1",
    type: "message",
    role: "assistant",
    model: "scripted",
    content: [],
    usage,
  };
  send({ type: "message_start", message: { ...message, stop_reason: null } });
  const block = hasRun ? { type: "text", text: "" } : { type: "tool_use", id: "toolu_1", name: "shell", input: {} };
  const delta = hasRun
    ? { type: "text_delta", text: "The sum of the numbers is 42." }
    : { type: "input_json_delta", partial_json: JSON.stringify({ command: COMMAND }) };
  send({ type: "content_block_start", index: 0, content_block: block });
  send({ type: "content_block_delta", index: 0, delta });
  send({ type: "content_block_stop", index: 0 });
  const reason = hasRun ? "end_turn" : "tool_use";
  send({ type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 40 } });
  send({ type: "message_stop" });
  response.end();
}
