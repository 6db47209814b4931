import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { UserReply } from "@switchyard/contracts";
import { scriptedClient, text, toolCall } from "@switchyard/testkit";
import { expect, test } from "vitest";
import { createDefaultRegistry, runSession, startSession } from "../src/index.ts";
import { task, temporaryWorkspace } from "./temporary-session.ts";

function reply(answer: string): UserReply {
  return { parts: [{ type: "text", text: answer }] };
}

test("a question of the agent, and a permission it needs, are answered through its handle [loop-2.3-5] [loop-8-4]", async () => {
  using workspace = temporaryWorkspace();
  const client = scriptedClient([
    toolCall("ask_user", { question: "Which name?" }, { id: "q" }),
    toolCall("write_file", { file_path: "name.txt", content: "Ada" }),
    text("Done."),
  ]);
  const approval = { rules: [{ effects: "readonly", outcome: "allow" }] } as const;
  const registry = createDefaultRegistry({ env: {}, client, model: "anthropic/claude", approval, askUser: true });
  const options = workspace.options({ engine: "agent", registry, isAnswerable: true });
  const handle = await startSession(task("Write my name down."), options);
  const prompted: string[] = [];
  const states: string[] = [];
  for await (const event of handle.events()) {
    if (event.type === "run_status_changed") states.push(event.payload.status);
    if (event.type !== "user_prompted") continue;
    const { prompt_id: id, schema } = event.payload;
    prompted.push(id);
    handle.answer(id, reply(id === "q" ? "Ada" : "allow_once"));
    if (id === "q") expect(schema).toBeUndefined();
    else expect(schema).toEqual({ type: "string", enum: ["allow_once", "allow_session", "deny"] });
  }
  expect(await handle.result).toMatchObject({ status: "completed", result: { exit_code: 0 } });
  expect(prompted).toHaveLength(2);
  expect(prompted[0]).toBe("q");
  expect(states.filter((status) => status === "awaiting_input")).toHaveLength(2);
  expect(readFileSync(join(workspace.root, "name.txt"), "utf8")).toBe("Ada");
});

test("without a user, a call that needs a permission is denied and the agent continues [loop-8-4]", async () => {
  using workspace = temporaryWorkspace();
  const client = scriptedClient([toolCall("write_file", { file_path: "a", content: "x" }), text("I could not.")]);
  const approval = { rules: [], otherwise: "ask" } as const;
  const registry = createDefaultRegistry({ env: {}, client, model: "anthropic/claude", approval });
  const report = await runSession(task("Write a."), workspace.options({ engine: "agent", registry }));
  expect(report).toMatchObject({ status: "completed", result: { final_message: "I could not." } });
  expect(JSON.stringify(report.result?.transcript)).toContain("no user can be asked for approval");
});
