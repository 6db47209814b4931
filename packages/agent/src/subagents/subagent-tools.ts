import {
  EngineError,
  type RegisteredTool,
  type SubagentControl,
  type SubagentResult,
  type ToolArguments,
  type ToolCallContext,
  type ToolOutput,
} from "@switchyard/contracts";
import { objectSchema } from "../tools/object-schema.ts";
import { optionalNumber, optionalText, textArgument } from "../tools/tool-argument.ts";

function controlOf({ subagents }: ToolCallContext, tool: string): SubagentControl {
  if (subagents === undefined) throw new EngineError("subagent.unavailable", { tool });
  return subagents;
}

function sentence({ agent_id, status, turns_used, problem }: SubagentResult): string {
  const turns = `${turns_used} ${turns_used === 1 ? "turn" : "turns"}`;
  switch (status) {
    case "running":
      return `${agent_id} is still running (${turns} so far).`;
    case "completed":
      return `${agent_id} completed after ${turns}.`;
    case "failed":
      return `${agent_id} failed after ${turns}: ${problem ?? "it did not complete"}.`;
  }
}

function report(result: SubagentResult): ToolOutput {
  const output = result.output === "" ? "It said nothing." : result.output;
  return { content: `${sentence(result)}\n\n${output}`, details: result };
}

async function spawn(args: ToolArguments, context: ToolCallContext): Promise<ToolOutput> {
  const result = await controlOf(context, "spawn_agent").spawn(
    {
      task: textArgument(args, "task"),
      workingDir: optionalText(args, "working_dir"),
      model: optionalText(args, "model"),
      maxTurns: optionalNumber(args, "max_turns"),
    },
    context.callId,
  );
  // The status is constant, so that a call repeated after a crash returns the same output.
  // The tool `wait` reports the actual status.
  const details = { agent_id: result.agent_id, status: "running" };
  return { content: `Started ${result.agent_id}. Status: running. Use wait to get its result.`, details };
}

function sendInput(args: ToolArguments, context: ToolCallContext): ToolOutput {
  const [agentId, message] = [textArgument(args, "agent_id"), textArgument(args, "message")];
  const { agent_id } = controlOf(context, "send_input").sendInput(agentId, { message, callId: context.callId });
  return { content: `Delivered to ${agent_id}. Status: running.`, details: { agent_id, status: "running" } };
}

async function wait(args: ToolArguments, context: ToolCallContext): Promise<ToolOutput> {
  const timeoutMs = optionalNumber(args, "timeout_ms");
  const { signal } = context;
  const result = await controlOf(context, "wait").wait(textArgument(args, "agent_id"), { timeoutMs, signal });
  if (result.status !== "running") return report(result);
  const content = `${sentence(result)} The time to wait, ${timeoutMs} ms, is over. Wait again, or continue with other work.`;
  return { content, details: result };
}

async function close(args: ToolArguments, context: ToolCallContext): Promise<ToolOutput> {
  const result = await controlOf(context, "close_agent").close(textArgument(args, "agent_id"));
  return { content: `Closed ${result.agent_id}. Final status: ${result.status}.`, details: result };
}

const AGENT_ID = { type: "string", minLength: 1, description: "Id that spawn_agent returned." } as const;

/** Starts a subagent for a task. See loop: spawn_agent, §7.2. */
const spawnAgentTool: RegisteredTool = {
  definition: {
    name: "spawn_agent",
    description:
      "Spawn a subagent to handle a scoped task autonomously, beside you and in the same files. It knows nothing of this conversation: say in the task all it needs. Returns its id at once; use wait to get its result.",
    parameters: objectSchema(
      {
        task: { type: "string", minLength: 1, description: "The task in natural language." },
        working_dir: { type: "string", description: "Subdirectory the subagent is limited to (default: yours)." },
        model: { type: "string", description: "Model id (default: yours)." },
        max_turns: { type: "integer", minimum: 0, description: "Most turns of the subagent (default 0, no limit)." },
      },
      ["task"],
    ),
  },
  // A subagent is identified by its call, so a repeated call does not start a second one.
  effects: "idempotent",
  needsSubagents: true,
  execute: (args, _, context) => spawn(args, context),
};

/** Sends a message to a subagent. See loop: send_input, §7.2. */
const sendInputTool: RegisteredTool = {
  definition: {
    name: "send_input",
    description:
      "Send a message to a subagent. One that is running sees it after its current tools; one that is done begins to work again, with all it knows.",
    parameters: objectSchema(
      { agent_id: AGENT_ID, message: { type: "string", minLength: 1, description: "What to say." } },
      ["agent_id", "message"],
    ),
  },
  effects: "idempotent",
  needsSubagents: true,
  execute: (args, _, context) => sendInput(args, context),
};

/** Waits for a subagent. See loop: wait, §7.2. */
const waitTool: RegisteredTool = {
  definition: {
    name: "wait",
    description: "Wait for a subagent to complete and return its result.",
    parameters: objectSchema(
      {
        agent_id: AGENT_ID,
        timeout_ms: {
          type: "integer",
          minimum: 0,
          description: "Most time to wait, in milliseconds; the status is running when it is up (default: no limit).",
        },
      },
      ["agent_id"],
    ),
  },
  effects: "readonly",
  outputLimits: { maxChars: 20_000, mode: "head_tail" },
  needsSubagents: true,
  execute: (args, _, context) => wait(args, context),
};

/** Closes a subagent. See loop: close_agent, §7.2. */
const closeAgentTool: RegisteredTool = {
  definition: {
    name: "close_agent",
    description: "Terminate a subagent that is no longer needed. Returns its final status.",
    parameters: objectSchema({ agent_id: AGENT_ID }, ["agent_id"]),
  },
  effects: "idempotent",
  needsSubagents: true,
  execute: (args, _, context) => close(args, context),
};

/** Tools for subagents, offered to all model families. See loop: §7.2. */
export const SUBAGENT_TOOLS: readonly RegisteredTool[] = [spawnAgentTool, sendInputTool, waitTool, closeAgentTool];
