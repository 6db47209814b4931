// Uses the agent loop as a library and steers the agent while it works. The model is scripted, the tools are real.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAnthropicProfile, Session } from "@switchyard/agent";
import { textOf } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { scriptedClient, text, toolCall } from "@switchyard/testkit";

const root = await mkdtemp(join(tmpdir(), "steer-a-session-"));
try {
  await using environment = await openLocalEnvironment({ root, env: { PATH: process.env["PATH"] } });
  const client = scriptedClient([
    toolCall("write_file", { file_path: join(root, "app.txt"), content: "many routes\n" }),
    (request) => {
      // The model receives the steering message as a user message after the tool's result.
      const last = request.messages.at(-1);
      assert.equal(last?.role, "user");
      assert.equal(textOf(last), "Only a health endpoint, please.");
      return toolCall("write_file", { file_path: join(root, "app.txt"), content: "GET /health\n" });
    },
    text("There is one endpoint now."),
  ]);
  await using session = new Session({
    profile: createAnthropicProfile({ model: "claude-sonnet-5-5" }),
    environment,
    client,
  });

  const seen: string[] = [];
  for await (const event of session.submit("Create a web application.")) {
    seen.push(event.type);
    if (event.type === "tool_call_start" && session.history.length < 3)
      session.steer("Only a health endpoint, please.");
    if (event.type === "assistant_text_end" && event.data.content !== "") console.log(event.data.content);
  }

  assert.ok(seen.includes("steering_injected"));
  assert.equal(seen.at(-1), "processing_end");
  assert.equal(await readFile(join(root, "app.txt"), "utf8"), "GET /health\n");
} finally {
  await rm(root, { recursive: true, force: true });
}
