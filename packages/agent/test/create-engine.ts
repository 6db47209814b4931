import type { Checkpoint, Engine, RegisteredTool } from "@switchyard/contracts";
import { inFreshProcesses } from "@switchyard/fresh-process";
import { inject } from "vitest";
import type { AgentEngineOptions } from "../src/index.ts";
import { AGENTS, agentUnderTest } from "./always-resume/agents.ts";

function toolsOf({ profile, tools = [] }: AgentEngineOptions): Map<string, RegisteredTool> {
  return new Map([...profile.toolRegistry.tools(), ...tools].map((tool) => [tool.definition.name, tool]));
}

function lastTurnOf({ board }: Checkpoint): unknown {
  const turns = board.vars["__agent_turns"];
  return Array.isArray(turns) ? turns.at(-1) : undefined;
}

/** A run that is being stopped anyway is at the end of no step. */
function isStopping({ payload }: Checkpoint): boolean {
  return typeof payload === "object" && payload !== null && "boundary" in payload && payload.boundary === "stopped";
}

/** Names of the tools that the last answer asks for and that have no result. */
function openTools(checkpoint: Checkpoint): string[] {
  const last = lastTurnOf(checkpoint);
  const calls: unknown = typeof last === "object" && last !== null && "toolCalls" in last ? last.toolCalls : undefined;
  return Array.isArray(calls) ? calls.map((call: { name: string }) => call.name) : [];
}

/**
 * Whether a process may end at a checkpoint: at any but those with unsafe calls that have not begun. What follows there
 * is told by the model's own reaction to `unknown_outcome`, not by a test that knows nothing of it.
 */
function mayEndAt(options: AgentEngineOptions): (checkpoint: Checkpoint) => boolean {
  const tools = toolsOf(options);
  const isSafe = (name: string): boolean => ["readonly", "idempotent"].includes(tools.get(name)?.effects ?? "unsafe");
  return (checkpoint) => !isStopping(checkpoint) && openTools(checkpoint).every(isSafe);
}

/** The engine under test; where tests always resume, with a process of its own for every step. */
export function createEngine(options: AgentEngineOptions): Engine {
  const name = agentUnderTest();
  const engine = AGENTS[name](options);
  const program = inject("engineProgram");
  if (program === undefined) return engine;
  return inFreshProcesses(engine, { program, engine: name, options, mayEnd: mayEndAt(options) });
}
