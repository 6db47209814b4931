// An agent gives two tasks to subagents, which work in parallel, each in its own folder. The model is scripted.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAnthropicProfile, Session } from "@switchyard/agent";
import { type ModelRequest, textOf } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { answer, scriptedClient, text, toolCall } from "@switchyard/testkit";

const LINES = {
  parent: [
    answer(
      toolCall("spawn_agent", { task: "Document the API.", working_dir: "api" }),
      toolCall("spawn_agent", { task: "Document the web page.", working_dir: "web" }),
    ),
    answer(toolCall("wait", { agent_id: "agent-1" }), toolCall("wait", { agent_id: "agent-2" })),
    text("Both are documented."),
  ],
  // This subagent first tries to leave its folder.
  api: [
    toolCall("write_file", { file_path: "../README.md", content: "Mine.\n" }),
    toolCall("write_file", { file_path: "README.md", content: "# The API\n" }),
    text("api/README.md is there."),
  ],
  web: [toolCall("write_file", { file_path: "README.md", content: "# The page\n" }), text("web/README.md is there.")],
};

// All agents call one model. It chooses a response by the agent's task and the number of the agent's earlier calls.
function reply({ messages }: ModelRequest): ReturnType<typeof answer> {
  const task = messages.map(textOf).find((content) => content.startsWith("Document"));
  const lines = task === undefined ? LINES.parent : task.includes("API") ? LINES.api : LINES.web;
  return lines[messages.filter(({ role }) => role === "assistant").length] ?? text("There is nothing left to do.");
}

const root = await mkdtemp(join(tmpdir(), "use-subagents-"));
try {
  for (const folder of ["api", "web"]) await mkdir(join(root, folder));
  await using environment = await openLocalEnvironment({ root });
  const client = scriptedClient(Array.from({ length: 8 }, () => reply));
  await using session = new Session({
    profile: createAnthropicProfile({ model: "claude-sonnet-5-5" }),
    environment,
    client,
    // The usage of subagents counts towards the limits of their parent.
    config: { maxSubagents: 2, maxTotalTokens: 1_000_000 },
  });

  const refused: (string | undefined)[] = [];
  for await (const { type, agentId, data } of session.submit("Write a README for each part.")) {
    if (type === "subagent_started") console.log(`${data.agent_id} works on: ${data.content}`);
    if (type === "subagent_ended") console.log(`${data.agent_id} ${data.status}: ${data.content}`);
    if (type === "tool_call_end" && data.is_error) refused.push(agentId);
  }

  assert.deepEqual(refused, ["agent-1"]);
  assert.equal(await readFile(join(root, "api/README.md"), "utf8"), "# The API\n");
  assert.equal(await readFile(join(root, "web/README.md"), "utf8"), "# The page\n");
  assert.equal(session.subagents.get("agent-2")?.result?.turns_used, 2);
  assert.equal(client.remaining, 0);
} finally {
  await rm(root, { recursive: true, force: true });
}
