import { text, toolCall } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, createSession, dataOf, textsOf, tool, typesOf } from "../../test/run-session.ts";

describe("steering and follow-ups", () => {
  test("a steered message follows the tool round and is the user's for the model [loop-2.5-13] [loop-2.6-1] [loop-2.6-3] [loop-2.6-4] [loop-2.6-5] [loop-9.6-1] [loop-9.6-3] [loop-9.6-4]", async () => {
    await using workspace = await openWorkspace();
    const steering = tool("steering", () => {
      session.steer("first");
      session.steer("second");
      return "ok";
    });
    const { session, client } = createSession(workspace, {
      tools: [steering],
      steps: [toolCall("steering"), text("done")],
    });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "steering_injected")).toEqual([{ content: "first" }, { content: "second" }]);
    expect(session.history.map((turn) => turn.type)).toEqual([
      "user",
      "assistant",
      "tool_results",
      "steering",
      "steering",
      "assistant",
    ]);
    expect(textsOf(client.requests[1], "user")).toEqual(["go", "first", "second"]);
  });

  test("a loop warning follows the messages that were steered during the round [loop-2.5-13] [loop-2.10-4]", async () => {
    await using workspace = await openWorkspace();
    const steering = tool("steering", () => {
      session.steer("be quick");
      return "ok";
    });
    const { session, client } = createSession(workspace, {
      config: { loopDetectionWindow: 2 },
      tools: [steering],
      steps: [toolCall("steering"), toolCall("steering"), text("done")],
    });
    const events = await collect(session.submit("go"));
    const [warning] = dataOf(events, "loop_detection").map(({ message }) => message);
    expect(warning).toMatch(/^Loop detected/);
    expect(textsOf(client.requests[2], "user")).toEqual(["go", "be quick", "be quick", warning]);
    expect(typesOf(events).filter((type) => type === "steering_injected" || type === "loop_detection")).toEqual([
      "steering_injected",
      "steering_injected",
      "loop_detection",
    ]);
  });

  test("a message steered into an idle session comes with the next input, before the model is asked [loop-2.5-2] [loop-2.6-2]", async () => {
    await using workspace = await openWorkspace();
    const { session, client } = createSession(workspace, { steps: [text("done")] });
    session.steer("be quick");
    await collect(session.submit("go"));
    expect(textsOf(client.requests[0], "user")).toEqual(["go", "be quick"]);
  });

  test("a message steered during the last response is not lost: the loop continues [loop-2.6-6]", async () => {
    await using workspace = await openWorkspace();
    const { session, client } = createSession(workspace, {
      steps: [
        () => {
          session.steer("one more thing");
          return text("finished");
        },
        text("really finished"),
      ],
    });
    const events = await collect(session.submit("go"));
    expect(textsOf(client.requests[1], "user")).toEqual(["go", "one more thing"]);
    expect(dataOf(events, "processing_end")).toHaveLength(1);
  });

  test("follow-ups are processed as separate inputs after the current one, in order [loop-2.1-3] [loop-2.5-15] [loop-2.5-17] [loop-2.6-7] [loop-9.6-2]", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, { steps: [text("1"), text("2"), text("3")] });
    session.followUp("second");
    session.followUp("third");
    const events = await collect(session.submit("first"));
    expect(dataOf(events, "user_input").map(({ content }) => content)).toEqual(["first", "second", "third"]);
    expect(typesOf(events).filter((type) => type === "processing_end")).toHaveLength(1);
    expect(events.at(-1)?.type).toBe("processing_end");
  });

  test("follow-ups wait when a limit stopped the input [loop-2.5-16]", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, {
      config: { maxToolRoundsPerInput: 1 },
      steps: [toolCall("echo"), text("a"), text("b")],
    });
    session.followUp("later");
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "user_input")).toEqual([{ content: "go" }]);
    expect(session.state).toBe("idle");
  });
});

describe("limits", () => {
  test("the round limit stops an input, and the next one has its own rounds [loop-2.2-3] [loop-2.5-3] [loop-2.8-1] [loop-9.1-4] [loop-B-11]", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, {
      config: { maxToolRoundsPerInput: 2 },
      steps: Array(4).fill(toolCall("echo")),
    });
    for (const input of ["one", "two"]) {
      const events = await collect(session.submit(input));
      expect(dataOf(events, "turn_limit")).toEqual([{ limit: "max_tool_rounds_per_input", count: 2 }]);
      expect(dataOf(events, "processing_end")).toEqual([{ outcome: "turn_limit", rounds: 2 }]);
      expect(session.state).toBe("idle");
    }
    expect(session.history).toHaveLength(10);
  });

  test("the turn limit counts over all inputs [loop-2.5-4] [loop-9.1-5] [loop-2.8-1]", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, {
      config: { maxTurns: 3 },
      steps: [text("1"), toolCall("echo"), toolCall("echo")],
    });
    await collect(session.submit("one"));
    const events = await collect(session.submit("two"));
    expect(dataOf(events, "turn_limit")).toEqual([{ limit: "max_turns", count: 3 }]);
    expect(session.turns).toBe(3);
  });

  test("nothing is limited by default [loop-2.2-1] [loop-2.2-2]", async () => {
    await using workspace = await openWorkspace();
    const steps = Array.from({ length: 300 }, (_, index) => toolCall("echo", { index }));
    const { session } = createSession(workspace, { steps: [...steps, text("done")] });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "processing_end")).toEqual([{ outcome: "completed", rounds: 300 }]);
  });
});
