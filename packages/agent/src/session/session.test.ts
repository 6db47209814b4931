import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { scriptedClient, text, toolCall } from "@switchyard/testkit";
import { expect, test } from "vitest";
import type { SessionEvent } from "../index.ts";
import { createAnthropicProfile, Session } from "../index.ts";

test("smoke", async () => {
  const root = await mkdtemp(join(tmpdir(), "agent-"));
  await writeFile(join(root, "a.txt"), "hello\nworld\n");
  await using environment = await openLocalEnvironment({ root, env: process.env });
  const client = scriptedClient([
    toolCall("read_file", { file_path: "a.txt" }),
    toolCall("edit_file", { file_path: "a.txt", old_string: "world", new_string: "$& you" }),
    toolCall("shell", { command: "cat a.txt; exit 3" }),
    toolCall("grep", { pattern: "hello" }),
    toolCall("glob", { pattern: "*.txt" }),
    text("done"),
  ]);
  const session = new Session({ profile: createAnthropicProfile({ model: "m" }), environment, client });
  const events: SessionEvent[] = [];
  for await (const event of session.submit("go")) events.push(event);
  console.log(
    events
      .filter((e) => e.type !== "assistant_text_delta")
      .map((e) => JSON.stringify(e.data).slice(0, 300))
      .join("\n"),
  );
  console.log(client.requests[0]?.messages[0]?.parts[0]);
  expect(session.state).toBe("idle");
  expect(await readFile(join(root, "a.txt"), "utf8")).toBe("hello\n$& you\n");
  await rm(root, { recursive: true });
});
