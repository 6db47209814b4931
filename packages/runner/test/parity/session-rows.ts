import { expect } from "vitest";
import { type ParityRow, TASK } from "./parity-row.ts";
import type { Scene } from "./scene.ts";
import { WIRE_FORMATS } from "./wire-view.ts";

const STEERING_TEXT = "Only /health, please.";

/** A command that runs until the host has acted. */
const GATE = "cat gate";

function isGate(args: unknown): boolean {
  return JSON.stringify(args).includes(GATE);
}

/** The rows in which the host acts while a tool runs. */
function gated(doIt: (scene: Scene) => void): Pick<ParityRow, "inputs" | "script" | "onEvent"> {
  return {
    inputs: [TASK],
    script: ({ wording }) => ({
      [TASK]: [
        { calls: [wording.shell("mkfifo gate")] },
        { calls: [wording.shell(GATE, 20_000)] },
        { say: "As you wish." },
      ],
    }),
    async onEvent(event, scene) {
      if (event.type !== "tool_call_start" || !isGate(event.data.arguments)) return;
      doIt(scene);
      await scene.workspace.write("gate", "open\n");
    },
  };
}

const STEERING: ParityRow = {
  row: 10,
  title: "steering in the middle of a task reaches the next model call [loop-9.12-10] [loop-9.6-1] [loop-9.6-4]",
  ...gated(({ session }) => session.steer(STEERING_TEXT)),
  async check(scene) {
    const { userTexts } = WIRE_FORMATS[scene.family];
    const seen = scene.provider.requests.map(({ body }) => userTexts(body));
    expect(seen).toEqual([[TASK], [TASK], [TASK, STEERING_TEXT]]);
    const types = scene.session.history.map(({ type }) => type);
    expect(types.slice(-3)).toEqual(["tool_results", "steering", "assistant"]);
    expect(scene.eventsOf("steering_injected")).toEqual([{ content: STEERING_TEXT }]);
    const order = scene.events.map(({ type }) => type);
    expect(order.lastIndexOf("tool_call_end")).toBeLessThan(order.indexOf("steering_injected"));
    expect(order.indexOf("steering_injected")).toBeLessThan(order.lastIndexOf("assistant_text_start"));
  },
};

const EFFORT: ParityRow = {
  row: 11,
  title: "a change of the reasoning effort is in the next request [loop-9.12-11] [loop-9.7-1] [loop-9.7-2]",
  config: { reasoningEffort: "low" },
  ...gated(({ session }) => {
    session.config.reasoningEffort = "high";
  }),
  async check({ family, provider }) {
    const { effort } = WIRE_FORMATS[family];
    expect(provider.requests.map(({ body }) => effort(body))).toEqual(["low", "low", "high"]);
  },
};

const CHILD_TASK = "Write child.txt and say so.";

const SUBAGENT: ParityRow = {
  row: 12,
  title: "a subagent is spawned and waited for [loop-9.12-12] [loop-9.9-1] [loop-9.9-3] [loop-9.9-4] [loop-9.9-5]",
  inputs: [TASK],
  script: ({ wording }) => ({
    [TASK]: [
      { calls: [wording.spawn(CHILD_TASK)] },
      ([spawned = ""]) => ({ calls: [wording.wait(/agent-\d+/.exec(spawned)?.[0] ?? "nobody")] }),
      { say: "The child is done." },
    ],
    [CHILD_TASK]: [{ calls: [wording.write("child.txt", "by a child\n")] }, { say: "I wrote child.txt." }],
  }),
  async check(scene) {
    expect(await scene.workspace.read("child.txt")).toBe("by a child\n");
    const parents = scene.requestsOf(TASK);
    const children = scene.requestsOf(CHILD_TASK);
    expect([parents.length, children.length]).toEqual([3, 2]);
    const { results, userTexts, toolNames } = WIRE_FORMATS[scene.family];
    expect(results(parents.at(-1)?.body)[1]?.content).toBe("agent-1 completed after 2 turns.\n\nI wrote child.txt.");
    // It has a separate conversation, and is offered no subagents itself.
    const { name } = scene.wording.spawn("");
    expect(toolNames(parents[0]?.body)).toContain(name);
    expect(toolNames(children[0]?.body)).not.toContain(name);
    expect(children.map(({ body }) => userTexts(body))).toEqual([[CHILD_TASK], [CHILD_TASK]]);
    expect(JSON.stringify(scene.session.history)).not.toContain("by a child");
    const ofChild = scene.events.filter(({ agentId }) => agentId === "agent-1").map(({ type }) => type);
    expect(ofChild).toEqual(expect.arrayContaining(["tool_call_start", "tool_call_end", "assistant_text_end"]));
    const types = scene.events.map(({ type }) => type);
    expect(types.indexOf("subagent_started")).toBeLessThan(types.indexOf("subagent_ended"));
  },
};

const LOOP: ParityRow = {
  row: 13,
  title: "a loop of calls is pointed out to the model [loop-9.12-13]",
  files: { "same.txt": "the same\n" },
  inputs: [TASK],
  script: ({ wording }) => ({
    [TASK]: [...Array.from({ length: 10 }, () => ({ calls: [wording.read("same.txt")] })), { say: "I stop." }],
  }),
  async check(scene) {
    const warning = "Loop detected: the last 10 tool calls follow a repeating pattern. Try a different approach.";
    expect(scene.eventsOf("loop_detection")).toMatchObject([{ message: warning }]);
    const { userTexts } = WIRE_FORMATS[scene.family];
    const seen = scene.provider.requests.map(({ body }) => userTexts(body).includes(warning));
    expect(seen).toEqual([...Array.from({ length: 10 }, () => false), true]);
    expect(scene.session.history.at(-2)).toMatchObject({ type: "steering", content: warning });
  },
};

/** The rows about the session itself. */
export const SESSION_ROWS: readonly ParityRow[] = [STEERING, EFFORT, SUBAGENT, LOOP];
