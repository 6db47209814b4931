import type { SessionEvent, ToolResultsTurn } from "@switchyard/agent";
import { expect } from "vitest";
import type { Scene } from "./scene.ts";
import type { Answer } from "./scripted-provider.ts";
import type { Wording } from "./wording.ts";

/** A step of the smoke test. See loop: §9.13. */
export interface SmokeStep {
  readonly input: string;
  /** Text of a model that completes the step. */
  answers(wording: Wording): readonly Answer[];
  /** Condition that must be true afterwards, whatever the model responded. */
  check(scene: Scene): Promise<void>;
}

type EndEvent = Extract<SessionEvent, { type: "tool_call_end" }>;

/** The tool calls that ended in this step. */
function callsOf(scene: Scene, { name }: { name: string }): readonly EndEvent[] {
  const isEnd = (event: SessionEvent): event is EndEvent => event.type === "tool_call_end";
  return scene.eventsOfInput.filter(isEnd).filter(({ data }) => data.name === name);
}

function resultsOf({ session }: Scene): readonly ToolResultsTurn["results"][number][] {
  return session.history.flatMap((turn) => (turn.type === "tool_results" ? turn.results : []));
}

const CREATE: SmokeStep = {
  input: "Create a file called hello.py that prints 'Hello World'",
  answers: ({ write }) => [{ calls: [write("hello.py", "print('Hello World')\n")] }, { say: "hello.py is there." }],
  async check({ workspace }) {
    expect(await workspace.environment.exists("hello.py")).toBe(true);
    expect(await workspace.environment.readFile("hello.py")).toContain("Hello");
  },
};

const EDIT: SmokeStep = {
  input: "Read hello.py and add a second print statement that says 'Goodbye'",
  answers: ({ read, edit }) => [
    { calls: [read("hello.py")] },
    { calls: [edit("hello.py", { from: "print('Hello World')", to: "print('Hello World'); print('Goodbye')" })] },
    { say: "It says goodbye as well." },
  ],
  async check({ workspace }) {
    const content = await workspace.environment.readFile("hello.py");
    expect(content).toContain("Hello");
    expect(content).toContain("Goodbye");
  },
};

const RUN: SmokeStep = {
  input: "Run hello.py and show the output",
  // Without Python, the model determines the output itself.
  answers: ({ shell }) => [
    { calls: [shell("python3 hello.py || cat hello.py")] },
    { say: "It says hello and goodbye." },
  ],
  async check(scene) {
    const outputs = callsOf(scene, scene.wording.shell("")).map(({ data }) => data.content);
    expect(outputs.some((output) => output.includes("Hello World") && output.includes("Goodbye"))).toBe(true);
  },
};

const TRUNCATE: SmokeStep = {
  input: "Read big.txt",
  answers: ({ read }) => [{ calls: [read("big.txt")] }, { say: "It is full of x." }],
  async check(scene) {
    const [call] = callsOf(scene, scene.wording.read(""));
    expect(call?.data.content).toContain("x".repeat(100_000));
    const result = resultsOf(scene).find(({ toolCallId }) => toolCallId === call?.data.tool_call_id);
    expect(result?.content).toContain("[WARNING: Tool output was truncated.");
    expect(result?.content.length).toBeLessThanOrEqual(50_000);
  },
};

const FLASK = "from flask import Flask\n\napp = Flask(__name__)\n\n";
const ROUTES = "@app.route('/')\ndef index(): return 'home'\n\n@app.route('/about')\ndef about(): return 'about'\n";

/** Message that the user sends directly after the input. */
export const STEERING = "Actually, just create a single /health endpoint for now";

const STEER: SmokeStep = {
  input: "Create a Flask web application with multiple routes",
  answers: ({ write }) => [
    { calls: [write("app.py", FLASK + ROUTES)] },
    { calls: [write("app.py", `${FLASK}@app.route('/health')\ndef health(): return 'ok'\n`)] },
    { say: "It has one endpoint." },
  ],
  async check(scene) {
    expect(scene.eventsOfInput).toContainEqual(
      expect.objectContaining({ type: "steering_injected", data: { content: STEERING } }),
    );
    const { matches } = await scene.workspace.environment.grep("@\\w+\\.(route|get)\\(", { glob: "*.py" });
    expect(matches.map(({ text }) => /\/\w*/.exec(text)?.[0])).toEqual(["/health"]);
  },
};

/** Prompt of the child. */
export const CHILD_TASK = "Write tests for hello.py into test_hello.py.";

const DELEGATE: SmokeStep = {
  input: "Spawn a subagent to write tests for hello.py, then review its output",
  answers: ({ spawn, wait, read }) => [
    { calls: [spawn(CHILD_TASK)] },
    { calls: [wait("agent-1")] },
    { calls: [read("test_hello.py")] },
    { say: "The tests look good." },
  ],
  async check(scene) {
    const { spawn, wait } = scene.wording;
    expect(callsOf(scene, spawn("")).map(({ data }) => data.is_error)).toEqual([false]);
    expect(callsOf(scene, wait("")).length).toBeGreaterThan(0);
    const types = scene.eventsOfInput.map(({ type }) => type);
    expect(types.indexOf("subagent_ended")).toBeGreaterThan(types.indexOf("subagent_started"));
    const ofChild = scene.eventsOfInput.filter(({ agentId }) => agentId !== undefined);
    expect(ofChild.map(({ type }) => type)).toContain("tool_call_end");
  },
};

const TIME_OUT: SmokeStep = {
  input: "Run 'sleep 30' with the default timeout",
  answers: ({ shell }) => [{ calls: [shell("sleep 30")] }, { say: "It took too long, so I leave it." }],
  async check(scene) {
    const [call] = callsOf(scene, scene.wording.shell(""));
    expect(call?.data).toMatchObject({ is_error: true, details: { timedOut: true } });
    expect(call?.data.content).toContain("[ERROR: Command timed out after 10000ms.");
    expect(call?.data.duration_ms).toBeGreaterThanOrEqual(10_000);
    expect(call?.data.duration_ms).toBeLessThan(30_000);
    // The agent handles it: the request was repeated, and the session waits for the next input.
    expect(scene.session.history.at(-1)).toMatchObject({ type: "assistant", toolCalls: [] });
    expect(scene.session.state).toBe("idle");
  },
};

/** The seven steps in order. */
export const SMOKE_STEPS: readonly SmokeStep[] = [CREATE, EDIT, RUN, TRUNCATE, STEER, DELEGATE, TIME_OUT];
