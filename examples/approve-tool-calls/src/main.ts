// Approves tool calls of an agent by rules, and asks the user about all other calls. The model is scripted, the tools are real.
import assert from "node:assert/strict";
import { access, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AskUser, createApprovalPolicy, createOpenAiProfile, Session, type SessionHooks } from "@switchyard/agent";
import { textOf } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { answer, scriptedClient, text, toolCall } from "@switchyard/testkit";

// The first matching rule decides; if no rule matches, the user is asked.
const approve = createApprovalPolicy({
  rules: [
    { path: ["**/.env", "**/.git/**"], outcome: "deny", reason: "secrets and history are off limits" },
    { effects: "readonly", outcome: "allow" },
    { tool: "write_file", path: "src/**", outcome: "allow" },
    { command: ["npm test", "ls"], outcome: "allow" },
  ],
});

// Simulates a user, who allows commands that only read, once each, and denies all others.
const asked: string[] = [];
const askUser: AskUser = async ({ parts, metadata }) => {
  const question = textOf({ parts });
  asked.push(`${metadata?.["tool"]}: ${question}`);
  return { parts: [{ type: "text", text: question.includes("git status") ? "allow_once" : "deny" }] };
};

// A hook removes telephone numbers from the results that the model receives.
const withoutNumbers: SessionHooks = {
  afterToolCall: ({ outcome }) => ({ ...outcome, content: outcome.content.replaceAll(/\b555-\d{4}\b/g, "(number)") }),
};

const root = await mkdtemp(join(tmpdir(), "approve-tool-calls-"));
try {
  await writeFile(join(root, "customers.txt"), "Ada 555-0100\n");
  await writeFile(join(root, ".env"), "TOKEN=1234\n");
  await using environment = await openLocalEnvironment({ root, env: { PATH: process.env["PATH"] } });
  const client = scriptedClient([
    answer(
      toolCall("read_file", { file_path: "customers.txt" }),
      toolCall("read_file", { file_path: "src/../.env" }),
      toolCall("write_file", { file_path: "src/app.js", content: "// Ada\n" }),
    ),
    answer(toolCall("shell", { command: "ls && rm customers.txt" }), toolCall("shell", { command: "git status" })),
    text("Ada is in src/app.js."),
  ]);
  await using session = new Session({
    profile: createOpenAiProfile({ model: "gpt-6.2-sol" }),
    environment,
    client,
    approve,
    askUser,
    hooks: withoutNumbers,
    config: { maxToolRoundsPerInput: 10, maxWallTimeMs: 600_000 },
  });

  const decisions: string[] = [];
  for await (const event of session.submit("Move the customers into the source.")) {
    if (event.type !== "approval_decided") continue;
    const { name, decision, decided_by, reason = "" } = event.data;
    decisions.push(`${name} ${decision} by ${decided_by}`);
    console.log(`${name}: ${decision} by ${decided_by} ${reason}`);
  }

  assert.deepEqual(decisions.sort(), [
    "read_file allow by rule",
    "read_file deny by rule",
    "shell allow by user",
    "shell deny by user",
    "write_file allow by rule",
  ]);
  // A rule covers only a single simple command, so the user was asked about `ls && rm …`.
  assert.equal(asked.length, 2);
  assert.equal(await readFile(join(root, "src/app.js"), "utf8"), "// Ada\n");
  await access(join(root, "customers.txt"));
  const seen = JSON.stringify(client.requests.at(-1)?.messages);
  assert.ok(seen.includes("Ada (number)") && !seen.includes("1234"));
} finally {
  await rm(root, { recursive: true, force: true });
}
