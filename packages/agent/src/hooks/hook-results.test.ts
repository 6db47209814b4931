import { text, toolCall } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, counting, createSession, dataOf } from "../../test/run-session.ts";
import { composeHooks, type SessionHooks } from "../index.ts";

/** Creates a hook that returns any value, as an untyped host could. */
function returning(name: keyof SessionHooks, result: unknown): SessionHooks {
  return { [name]: () => result };
}

const LAYERS = [
  ["one set", (hooks: SessionHooks) => hooks],
  ["several sets", (hooks: SessionHooks) => composeHooks({}, hooks)],
] as const;

describe.each(LAYERS)("invalid return values of hooks of untyped hosts, with %s", (_, layered) => {
  test.each([false, "deny", 0, {}, { decision: "deny" }, { args: null }, { args: undefined }])(
    "%j executes no call that it does not mention [loop-8-4]",
    async (result) => {
      await using workspace = await openWorkspace();
      const echo = counting("echo");
      const { session } = createSession(workspace, {
        tools: [echo],
        steps: [toolCall("echo"), text("done")],
        hooks: layered(returning("beforeToolCall", result)),
      });
      const events = await collect(session.submit("go"));
      expect(echo.calls).toBe(0);
      expect(dataOf(events, "tool_call_end")).toMatchObject([{ is_error: true }]);
      expect(dataOf(events, "warning")).toMatchObject([
        { kind: "hook_failed", details: { error: { code: "hook.failed" } } },
      ]);
    },
  );

  test("a denial without a reason is one [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const echo = counting("echo");
    const { session } = createSession(workspace, {
      tools: [echo],
      steps: [toolCall("echo"), text("done")],
      hooks: layered(returning("beforeToolCall", { deny: undefined })),
    });
    const events = await collect(session.submit("go"));
    expect(echo.calls).toBe(0);
    expect(dataOf(events, "approval_decided")).toEqual([
      expect.objectContaining({ decision: "deny", decided_by: "hook" }),
    ]);
  });

  test.each(["beforeModelCall", "afterModelCall", "beforeToolCall", "afterToolCall"] as const)(
    "null of %s changes nothing [loop-8-4]",
    async (name) => {
      await using workspace = await openWorkspace();
      const { session } = createSession(workspace, {
        steps: [toolCall("echo"), text("done")],
        hooks: layered(returning(name, null)),
      });
      const events = await collect(session.submit("go"));
      expect(dataOf(events, "tool_call_end")[0]?.content).toContain("echoed");
      expect(session.history.at(-1)).toMatchObject({ content: "done" });
    },
  );

  test.each(["beforeModelCall", "afterModelCall"] as const)(
    "a value of %s that is not a model call fails the input with the hook's name [loop-8-4]",
    async (name) => {
      for (const result of [false, {}, "x"]) {
        await using workspace = await openWorkspace();
        const hooks = layered(returning(name, result));
        const { session } = createSession(workspace, { steps: [text("done")], hooks });
        await collect(session.submit("go"));
        expect([session.state, session.failure?.code]).toEqual(["idle", "hook.failed"]);
      }
    },
  );

  test("a return value that is not an outcome hides the outcome [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, {
      steps: [toolCall("echo"), text("done")],
      hooks: layered(returning("afterToolCall", false)),
    });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "tool_call_end")[0]?.content).toContain("The call was carried out");
    expect(dataOf(events, "warning")).toMatchObject([{ kind: "hook_failed" }]);
  });
});
