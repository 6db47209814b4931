import { BackgroundTable } from "../background/background-table.ts";
import { buildSessionPrompt } from "../prompt/build-session-prompt.ts";
import { commandTable } from "../skills/expand-command.ts";
import { childOptions } from "../subagents/child-options.ts";
import { lineageOf } from "../subagents/lineage.ts";
import { Subagents } from "../subagents/subagents.ts";
import { beginState } from "./begin-state.ts";
import { createRegistry } from "./create-registry.ts";
import { EventEmitter } from "./event-emitter.ts";
import { keepState } from "./kept-state.ts";
import type { Session } from "./session.ts";
import { createSessionConfig } from "./session-config.ts";
import type { SessionCore } from "./session-core.ts";
import type { SessionOptions } from "./session-options.ts";
import { systemPromptOf } from "./system-prompt-of.ts";
import { WorkClock } from "./work-clock.ts";

/** What the inside of a session needs of the outside. */
export interface CoreSurroundings {
  /** Fires when the session is aborted. */
  readonly signal: AbortSignal;
  /** Called before each event. */
  readonly announce: () => void;
  /** Makes a session that this one is the parent of. */
  readonly createSession: (options: SessionOptions) => Session;
}

/** Where a session goes on from: a boundary, or what was saved. */
function beginningOf({ snapshot, resumeFrom }: SessionOptions): SessionOptions["resumeFrom"] {
  return resumeFrom ?? snapshot?.boundary;
}

/** Whether a session begins in the middle of an input. */
export function isMidway({ snapshot, resumeFrom }: SessionOptions): boolean {
  if (snapshot !== undefined) return snapshot.state === "processing";
  return resumeFrom !== undefined && resumeFrom.kind !== "settled";
}

/** Makes the inside of a session; nothing is read or asked. Throws `config.invalid`. */
export function createCore(options: SessionOptions, surroundings: CoreSurroundings): SessionCore {
  const { profile, environment, client, now = Date.now } = options;
  const { signal, announce, createSession } = surroundings;
  const config = createSessionConfig(options.config);
  const begin = beginState(options, config);
  const resumeFrom = beginningOf(options);
  const lineage = lineageOf(options);
  const events = new EventEmitter({ sessionId: begin.id, now, relay: lineage?.relay });
  const registry = createRegistry(options, (lineage?.depth ?? 0) < config.maxSubagentDepth);
  const core: SessionCore = {
    ...begin,
    profile,
    environment,
    client,
    config,
    registry,
    events,
    emit: (type, data) => {
      announce();
      events.emit(type, data);
    },
    now,
    signal,
    isQuestion: options.isQuestion ?? (() => false),
    reportUsage: options.reportUsage,
    onBoundary: options.onBoundary,
    beforeEffect: options.beforeEffect,
    approve: options.approve,
    hooks: options.hooks,
    attributes: options.attributes ?? {},
    askUser: options.askUser,
    clock: new WorkClock(now, resumeFrom?.progress.activeMs),
    questions: 0,
    toolQuestions: 0,
    compaction: options.compaction,
    compactAbove: 0,
    commands: commandTable(options.commands),
    background: new BackgroundTable({
      ...{ environment, now, signal },
      isOfConversation: (id) => begin.conversation.hasCall(id),
    }),
    spool: options.outputSpool,
    agentId: lineage?.agentId,
    depth: lineage?.depth ?? 0,
    subagents: new Subagents({
      core: () => core,
      name: lineage?.agentId ?? (options.agentId ?? "agent").replace(/[.*>]/g, "_"),
      createSession: (subagent, own) => createSession(childOptions(options, core, { subagent, lineage: own })),
      lineage,
      from: resumeFrom?.children,
    }),
    systemPrompt: systemPromptOf(begin.wholePrompt, () =>
      buildSessionPrompt({ ...options, model: config.model, registry, now, signal }),
    ),
  };
  if (lineage !== undefined || resumeFrom?.children !== undefined) keepState(core, resumeFrom?.kind ?? "suggested");
  return core;
}
