import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { EngineError, type RunStore, type SessionMessage, type StoredRun } from "@switchyard/contracts";
import { createUpdates } from "./session-updates.ts";

/** Conversation so far of a session, which consists of several runs. */
export interface PastConversation {
  /** Messages so far. */
  readonly messages: readonly SessionMessage[];
  /** Session id of the engine; `undefined` if the engine does not store conversations. */
  readonly engineSession: string | undefined;
  /** Id of the session's run that is currently active. `undefined` if none is active. */
  readonly atWork: string | undefined;
}

/**
 * Reads the conversation from the runs of a session. Removed runs are skipped. Rejects with the errors of the store.
 */
export async function readConversation(store: RunStore, runs: readonly string[]): Promise<PastConversation> {
  let past: PastConversation = { messages: [], engineSession: undefined, atWork: undefined };
  for (const runId of runs) {
    const run = await findStored(store, runId);
    if (run?.request === undefined) continue;
    const { request, report, lease } = run;
    const atWork = report === undefined && lease?.isHeld === true ? runId : past.atWork;
    const finalMessage = report?.result?.final_message ?? (await lastMessageOf(store, runId));
    const messages = report?.result?.transcript ?? [
      ...request.input.messages,
      { role: "assistant" as const, content: finalMessage },
    ];
    past = { messages, engineSession: report?.result?.session_id ?? past.engineSession, atWork };
  }
  return past;
}

/**
 * Sends the prompts and updates of a stored session to the editor again, so that the editor shows the past
 * conversation.
 */
export async function* replayRuns(store: RunStore, runs: readonly string[]): AsyncGenerator<SessionUpdate, void> {
  for (const runId of runs) {
    const run = await findStored(store, runId);
    const prompt = run?.request?.input.messages.at(-1);
    if (prompt === undefined) continue;
    yield { sessionUpdate: "user_message_chunk", content: { type: "text", text: prompt.content } };
    yield* replayRun(store, runId, run?.request?.input.workspace ?? "/");
  }
}

async function* replayRun(store: RunStore, runId: string, root: string): AsyncGenerator<SessionUpdate, void> {
  const updates = createUpdates({ root });
  const open = new Set<string>();
  for await (const envelope of store.events(runId)) {
    for (const update of updates(envelope)) {
      if (update.sessionUpdate === "tool_call") open.add(update.toolCallId);
      if (update.sessionUpdate === "tool_call_update") open.delete(update.toolCallId);
      yield update;
    }
  }
  // Ends tool calls that have no end event because their run crashed.
  for (const toolCallId of open) yield { sessionUpdate: "tool_call_update", toolCallId, status: "failed" };
}

/** Returns the text that the model wrote in a run without a report. */
async function lastMessageOf(store: RunStore, runId: string): Promise<string> {
  const messages: string[] = [];
  for await (const envelope of store.events(runId)) {
    if (envelope.type === "assistant_text_end" && envelope.payload.content !== "")
      messages.push(envelope.payload.content);
  }
  return messages.join("\n\n");
}

async function findStored(store: RunStore, runId: string): Promise<StoredRun | undefined> {
  try {
    return await store.show(runId);
  } catch (error) {
    if (EngineError.is(error, "run.not_found")) return undefined;
    throw error;
  }
}
