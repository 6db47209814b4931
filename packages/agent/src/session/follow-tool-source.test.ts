import { DEPENDENCY, type NoticePayload, type RegisteredTool, type ToolSource } from "@switchyard/contracts";
import { text, toolCall } from "@switchyard/testkit";
import { expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, createSession, dataOf, tool } from "../../test/run-session.ts";
import { codeOf, startRun } from "../../test/start-run.ts";

/** Creates a source whose tools and notices the test can change. */
function changingSource(...initial: RegisteredTool[]) {
  let tools: readonly RegisteredTool[] = initial;
  let notices: readonly NoticePayload[] = [];
  const listeners = new Set<() => void>();
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  const source: ToolSource = {
    tools: () => tools,
    takeNotices: () => {
      const taken = notices;
      notices = [];
      return taken;
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return {
    source,
    listeners,
    offer(...next: RegisteredTool[]): void {
      tools = next;
      notify();
    },
    say(message: string): void {
      notices = [...notices, { message }];
      notify();
    },
  };
}

test("tools of a source are added and removed between model calls [loop-8-1]", async () => {
  await using workspace = await openWorkspace();
  const early = tool("early", () => {
    changing.offer(late);
    return "early";
  });
  const late = tool("late", () => "late");
  const changing = changingSource(early);
  const steps = [toolCall("early"), toolCall("late"), toolCall("early"), text("done")];
  const { session, client } = createSession(workspace, { toolSource: changing.source, steps });
  const events = await collect(session.submit("go"));
  const offered = client.requests.map(({ tools = [] }) =>
    tools.map(({ name }) => name).filter((name) => name === "early" || name === "late"),
  );
  expect(offered).toEqual([["early"], ["late"], ["late"], ["late"]]);
  expect(dataOf(events, "tool_call_end").map(({ is_error }) => is_error)).toEqual([false, false, true]);
});

test("a tool of a source replaces no other tool, and only allowed ones are added", async () => {
  await using workspace = await openWorkspace();
  const changing = changingSource(
    tool("shell", () => "mine"),
    tool("other", () => ""),
    tool("more", () => ""),
  );
  const allowedTools = ["shell", "more"];
  const { session } = createSession(workspace, { toolSource: changing.source, allowedTools, steps: [text("done")] });
  expect(session.toolRegistry.names()).toEqual(["shell", "more"]);
  expect(session.toolRegistry.get("shell")?.definition.description).not.toBe("");
  // A tool that the host registered since remains when the source removes its tool of that name.
  const own = tool("more", () => "own");
  session.toolRegistry.register(own);
  changing.offer();
  expect(session.toolRegistry.get("more")).toBe(own);
});

test("notices of a source are warnings of the session, once, after its start", async () => {
  await using workspace = await openWorkspace();
  const changing = changingSource(
    tool("probe", () => {
      changing.say("second");
      return "";
    }),
  );
  changing.say("first");
  const steps = [toolCall("probe"), text("done")];
  const { session } = createSession(workspace, { toolSource: changing.source, steps });
  changing.say("still first");
  const events = session.events();
  session.submit("go");
  await session.settled();
  await session.close();
  const told = await collect(events);
  expect(told[0]?.type).toBe("session_start");
  expect(dataOf(told, "warning").map(({ message }) => message)).toEqual(["first", "still first", "second"]);
  expect(changing.listeners.size).toBe(0);
});

test("a run takes the tools of its host's source [loop-8-1]", async () => {
  await using workspace = await openWorkspace();
  const { source, listeners } = changingSource(tool("hosted", () => "from the host"));
  const { client, execution } = startRun(workspace, {
    dependencies: [[DEPENDENCY.toolRegistry, source]],
    steps: [toolCall("hosted"), text("done")],
  });
  await execution;
  expect(JSON.stringify(client.requests.at(-1)?.messages)).toContain("from the host");
  expect(listeners.size).toBe(0);
});

test("a host that hands over no source of tools as one is refused", async () => {
  await using workspace = await openWorkspace();
  const { execution } = startRun(workspace, { dependencies: [[DEPENDENCY.toolRegistry, []]], steps: [text("done")] });
  expect(await codeOf(execution)).toBe("dependency.wrong_type");
});
