import { appendFileSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { createAgentEngine, createAnthropicProfile } from "@switchyard/agent";
import type { Engine, RegisteredTool } from "@switchyard/contracts";
import { createCustomEngine, loadEngineConfig } from "@switchyard/custom-engine";
import { createStepRunner, type StepRunner } from "@switchyard/engine";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { type ScriptStep, scriptedClient, text, toolCall, toolCalls } from "@switchyard/testkit";

/** Where the runs of a test leave their effects, and how the test watches them. */
export interface TestRunOptions {
  /** File to which every unsafe effect appends a line: the id of its run, a space, and the id of the effect. */
  readonly effects: string;
  /** Folder in which engines work. */
  readonly folder: string;
  /** Called at moments at which a process may die. */
  readonly onMoment?: ((moment: string) => void) | undefined;
}

/** Runners of the runs of a test. */
export interface TestRunners {
  /** Agent with a scripted model: it makes three payments, the second one beside a read. */
  readonly agent: StepRunner;
  /** Agent that asks whether it may pay. */
  readonly asking: StepRunner;
  /** Agent that waits until its tool call is stopped, and then appends the effect `stopped`. */
  readonly endless: StepRunner;
  /** Custom engine: a command that makes one payment for each user message. */
  readonly custom: StepRunner;
}

/** Script of the agent. The ids of the calls are the ids of the payments. */
const PAYMENTS: readonly ScriptStep[] = [
  toolCall("pay", {}, { id: "pay-1" }),
  toolCalls([
    { name: "look", arguments: {}, id: "look-1" },
    { name: "pay", arguments: {}, id: "pay-2" },
  ]),
  toolCall("pay", {}, { id: "pay-3" }),
  text("all paid"),
];

const QUESTION: readonly ScriptStep[] = [
  toolCall("ask_user", { question: "May I pay?" }, { id: "ask-1" }),
  toolCall("pay", {}, { id: "pay-1" }),
  text("paid after the question"),
];

const ENDLESS: readonly ScriptStep[] = [toolCall("wait", {}, { id: "wait-1" }), text("never")];

/** Command of the custom engine: it appends its effect to the file and answers. */
const COMMAND = `
read -r input < "$1"
turn=1
case "$input" in *'"session_id":"s1"'*) turn=2 ;; esac
printf '%s call-%s\\n' "$2" "$turn" >> "$3"
printf '{"exit_code":0,"final_message":"paid %s","session_id":"s%s"}' "$turn" "$turn"`;

/** Reports moments before and after each step and claim. */
function watched(runner: StepRunner, onMoment: (moment: string) => void): StepRunner {
  return {
    async advance(state, input) {
      onMoment("step begins");
      const step = await runner.advance(state, input);
      onMoment("step ends");
      return step;
    },
    claim() {
      const claim = runner.claim();
      onMoment("claimed");
      return claim;
    },
  };
}

function agentOf(steps: readonly ScriptStep[], { effects, onMoment = () => {} }: TestRunOptions): Engine {
  const definition = (name: string) => ({ name, description: name, parameters: { type: "object" } });
  const pay: RegisteredTool = {
    definition: definition("pay"),
    effects: "unsafe",
    async execute(_args, environment, { callId }) {
      onMoment("effect begins");
      appendFileSync(effects, `${basename(environment.workingDirectory)} ${callId}\n`);
      onMoment("effect ends");
      return "paid";
    },
  };
  const wait: RegisteredTool = {
    definition: definition("wait"),
    effects: "unsafe",
    execute: (_args, environment, { signal }) =>
      new Promise((resolve) => {
        const stop = (): void => {
          appendFileSync(effects, `${basename(environment.workingDirectory)} stopped\n`);
          resolve("stopped");
        };
        signal.addEventListener("abort", stop, { once: true });
        onMoment("waits");
      }),
  };
  const look: RegisteredTool = { definition: definition("look"), effects: "readonly", execute: async () => "seen" };
  return createAgentEngine({
    client: scriptedClient(steps, { follows: "conversation" }),
    profile: createAnthropicProfile({ model: "claude" }),
    tools: [pay, wait, look],
    askUser: true,
  });
}

function commandOf({ effects }: TestRunOptions): Engine {
  const custom = {
    transport: "local",
    conversation_mode: "stateful",
    local: { command: "sh", args: ["-c", COMMAND, "sh", "${input_file}", "${case_id}", effects] },
  };
  const { custom: config } = loadEngineConfig({ name: "command", custom }, { env: {} });
  if (config === undefined) throw new Error("The configuration describes no custom engine.");
  return createCustomEngine(config);
}

/** Creates the runners of a test. Each run works in a folder of its own that is named after the run. */
export function createTestRunners(options: TestRunOptions): TestRunners {
  const { folder, onMoment = () => {} } = options;
  const runnerOf = (engine: Engine, engineName: string): StepRunner => {
    const environment = ({ id }: { readonly id: string }) => {
      mkdirSync(join(folder, id), { recursive: true });
      return openLocalEnvironment({ root: join(folder, id) });
    };
    return watched(createStepRunner({ engine, engineName, environment }), onMoment);
  };
  return {
    agent: runnerOf(agentOf(PAYMENTS, options), "agent"),
    asking: runnerOf(agentOf(QUESTION, options), "agent"),
    endless: runnerOf(agentOf(ENDLESS, options), "agent"),
    custom: runnerOf(commandOf(options), "command"),
  };
}
