import type { EffectJournal, OutputSpool } from "@switchyard/contracts";
import { folderEnvironment } from "../folder-environment/folder-environment.ts";
import type { SessionCore } from "../session/session-core.ts";
import type { SessionOptions } from "../session/session-options.ts";
import type { ChildSession } from "./child-session.ts";
import type { ChildSessionOptions, Lineage } from "./lineage.ts";
import type { Subagent } from "./subagent.ts";

/**
 * Returns a storage for tool outputs that adds the agent id to each call id. Call ids are unique only within a session.
 */
function spoolOf(spool: OutputSpool | undefined, agentId: string): OutputSpool | undefined {
  return spool === undefined ? undefined : { open: (callId) => spool.open(`${agentId}-${callId}`) };
}

/**
 * Returns a journal that stores the tool calls of a subagent with the agent id added to each call id. Call ids are
 * unique only within a session.
 */
function subagentJournal(journal: EffectJournal, agentId: string): EffectJournal {
  const idOf = (id: string): string => `${agentId}/${id}`;
  return {
    find: (id) => journal.find(idOf(id)),
    intend: (effects) => journal.intend(effects.map((effect) => ({ ...effect, id: idOf(effect.id) }))),
    begin: (id) => journal.begin(idOf(id)),
    end: (id, outcome) => journal.end(idOf(id), outcome),
    forget: (ids) => journal.forget(ids.map(idOf)),
  };
}

/** Returns a function that asks the user on behalf of a subagent. Each prompt contains the subagent's agent id. */
function askUserOf(askUser: SessionOptions["askUser"], agentId: string): SessionOptions["askUser"] {
  if (askUser === undefined) return undefined;
  return ({ id, ...prompt }, options) =>
    askUser({ source: agentId, ...prompt, ...(id === undefined ? {} : { id: `${agentId}-${id}` }) }, options);
}

/** Returns the tool options of a subagent, so that it has exactly the current tools of its parent session. */
function toolsOf({ registry }: SessionCore): Pick<SessionOptions, "tools" | "allowedTools"> {
  return { tools: registry.tools(), allowedTools: registry.names() };
}

/**
 * Returns the options of a subagent's session. They are the parent's current options without its conversation, with the
 * settings of the call that spawned the subagent. See loop: §7.1, §7.3.
 */
export function childOptions(
  options: SessionOptions,
  core: SessionCore,
  { subagent, lineage }: { subagent: Pick<Subagent<ChildSession>, "spec" | "resumesFrom">; lineage: Lineage },
): ChildSessionOptions {
  const { workingDir, model, maxTurns, id } = subagent.spec;
  const { config, environment, reportUsage, beforeEffect, effectJournal, onBoundary, signal, spool } = core;
  return {
    ...options,
    ...toolsOf(core),
    environment: workingDir === undefined ? environment : folderEnvironment(environment, workingDir),
    config: { ...config, maxTurns, ...(model === undefined ? {} : { model }) },
    history: undefined,
    earlierPrompt: undefined,
    snapshot: undefined,
    commands: undefined,
    notices: undefined,
    toolSource: undefined,
    resumeFrom: subagent.resumesFrom?.boundary,
    isQuestion: undefined,
    signal,
    reportUsage,
    beforeEffect,
    effectJournal: effectJournal === undefined ? undefined : subagentJournal(effectJournal, id),
    onBoundary: onBoundary === undefined ? undefined : () => lineage.save(),
    askUser: askUserOf(core.askUser, id),
    outputSpool: spoolOf(spool, id),
    parentModel: model === undefined ? core.turnRetries.models.current : undefined,
    lineage,
  };
}
