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

/**
 * Returns whether a checkpoint was created because the run is being stopped. Such a checkpoint is not at the end of a
 * step.
 */
function isStopping({ payload }: Checkpoint): boolean {
  return typeof payload === "object" && payload !== null && "boundary" in payload && payload.boundary === "stopped";
}

/** Returns the names of the tools that the last model response requests and that have no result yet. */
function openTools(checkpoint: Checkpoint): string[] {
  const last = lastTurnOf(checkpoint);
  const calls: unknown = typeof last === "object" && last !== null && "toolCalls" in last ? last.toolCalls : undefined;
  return Array.isArray(calls) ? calls.map((call: { name: string }) => call.name) : [];
}

/**
 * Returns a function that decides whether the process may end at a checkpoint. It may not if unsafe calls have not
 * started. On resume, these would get the result `unknown_outcome`, which the scripted models of the tests do not
 * expect.
 */
function mayEndAt(options: AgentEngineOptions): (checkpoint: Checkpoint) => boolean {
  const tools = toolsOf(options);
  const isSafe = (name: string): boolean => ["readonly", "idempotent"].includes(tools.get(name)?.effects ?? "unsafe");
  return (checkpoint) => !isStopping(checkpoint) && openTools(checkpoint).every(isSafe);
}

/** Creates the engine under test. In the Vitest project that always resumes, each step runs in a separate process. */
export function createEngine(options: AgentEngineOptions): Engine {
  const name = agentUnderTest();
  const engine = AGENTS[name](options);
  const program = inject("engineProgram");
  if (program === undefined) return engine;
  return inFreshProcesses(engine, { program, engine: name, options, mayEnd: mayEndAt(options) });
}
