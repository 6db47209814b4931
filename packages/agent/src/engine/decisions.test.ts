import { EngineError, type UserPrompt, type UserReply } from "@switchyard/contracts";
import { recordingHost, text, toolCall } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { counting } from "../../test/run-session.ts";
import { startRun } from "../../test/start-run.ts";
import type { HookContext } from "../index.ts";

function reply(answer: string): UserReply {
  return { parts: [{ type: "text", text: answer }] };
}

describe("an agent under an engine", () => {
  test("asks its host for permission by rules that are data, in the name of its step [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const put = counting("put", "idempotent");
    const host = recordingHost({ askUser: () => reply("allow_once") });
    const { execution } = startRun(workspace, {
      host,
      tools: [put, counting("look", "readonly")],
      approval: { rules: [{ effects: "readonly", outcome: "allow" }] },
      steps: [toolCall("look"), toolCall("put"), toolCall("put"), text("done")],
    });
    await execution;
    expect(host.prompts.map(({ id, source, metadata }) => [id, source, metadata?.["tool"]])).toEqual([
      [undefined, "agent.iter2", "put"],
      [undefined, "agent.iter3", "put"],
    ]);
    expect(host.ofType("approval_decided").map(({ payload }) => [payload.name, payload.decided_by])).toEqual([
      ["look", "rule"],
      ["put", "user"],
      ["put", "user"],
    ]);
  });

  test("is denied a call that no user can approve, and continues [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const put = counting("put");
    const { execution, host } = startRun(workspace, {
      tools: [put],
      approval: { rules: [] },
      steps: [toolCall("put"), text("not done")],
    });
    await execution;
    expect(put.calls).toBe(0);
    expect(host.ofType("approval_decided")[0]?.payload).toMatchObject({
      decision: "deny",
      reason: "it needs a permission, and no user can be asked for approval",
    });
    expect(host.ofType("processing_end")[0]?.payload.outcome).toBe("completed");
  });

  test("leaves the decision to a function of its host [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const put = counting("put");
    const { execution, host } = startRun(workspace, {
      tools: [put],
      approval: ({ tool }) => ({ decision: "deny", decidedBy: "audit", reason: `no ${tool}` }),
      steps: [toolCall("put"), text("not done")],
    });
    await execution;
    expect(host.ofType("approval_decided")[0]?.payload).toMatchObject({ decided_by: "audit", reason: "no put" });
  });

  test("passes the attributes of the run to its hooks [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const seen: HookContext["attributes"][] = [];
    const { execution } = startRun(workspace, {
      hooks: { beforeModelCall: (_, { attributes }) => void seen.push(attributes) },
      steps: [text("done")],
    });
    await execution;
    expect(seen).toEqual([{ "agent.id": "agent" }]);
  });

  test("asks its host questions if allowed, under the id of the call [loop-2.3-4]", async () => {
    await using workspace = await openWorkspace();
    const prompts: UserPrompt[] = [];
    const host = recordingHost({
      askUser: (prompt) => {
        prompts.push(prompt);
        return reply("blue");
      },
    });
    const steps = [toolCall("ask_user", { question: "Which colour?" }, { id: "q" }), text("blue")];
    const { execution, client } = startRun(workspace, { host, askUser: true, steps });
    await execution;
    expect(prompts.at(-1)).toMatchObject({ id: "q", source: "agent.iter1", parts: [{ text: "Which colour?" }] });
    const results = client.requests.at(-1)?.messages.at(-1)?.parts;
    expect(results).toMatchObject([{ type: "tool_result", toolCallId: "q", content: "blue" }]);
    const without = startRun(workspace, { host, steps: [text("done")] });
    await without.execution;
    expect(without.client.requests[0]?.tools?.map(({ name }) => name)).not.toContain("ask_user");
  });

  test("that is interrupted while it asks takes the interrupt for no answer [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const put = counting("put");
    const host = recordingHost();
    host.askUser = async () => {
      // The host cancels the question just before the engine receives the interrupt.
      host.interrupt({ cause: "user_cancel" });
      throw new EngineError("run.interrupted", { cause: "user_cancel" });
    };
    const { execution } = startRun(workspace, {
      host,
      tools: [put],
      approval: { rules: [] },
      steps: [toolCall("put"), text("never")],
    });
    await expect(execution).rejects.toMatchObject({ code: "run.interrupted" });
    expect(put.calls).toBe(0);
    expect(host.ofType("approval_decided")).toEqual([]);
    expect(host.ofType("tool_call_end")[0]?.payload).toMatchObject({ cancelled: true });
  });
});
