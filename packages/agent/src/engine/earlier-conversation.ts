import {
  type Checkpoint,
  DEPENDENCY,
  isHistoryStore,
  isoTime,
  type SessionInput,
  type SessionMessage,
} from "@switchyard/contracts";
import type { Turn } from "../conversation/turn.ts";
import { environmentUpdate } from "../prompt/earlier-prompt.ts";
import { parseAgentCheckpoint, specVersionOf } from "./agent-checkpoint.ts";
import type { SessionRun } from "./session-run.ts";
import { toTranscript } from "./transcript.ts";

/**
 * Earlier conversation that the run continues, as stored by the engine of the earlier run. Contains more than a
 * transcript, for example the providers' signatures.
 */
export interface EarlierConversation {
  /** Turns, including the providers' original messages. */
  readonly turns: readonly Turn[];
  /** System prompt. `undefined` if it was built for another model family. */
  readonly prompt?: string | undefined;
  /** Messages that inform the model of changes of the environment since the earlier conversation. */
  readonly updates: readonly Turn[];
  /** Index of the first input message that belongs to the earlier conversation. */
  readonly from: number;
  /** Index of the first input message after the earlier conversation. */
  readonly to: number;
}

function isAt(entries: readonly SessionMessage[], messages: readonly SessionMessage[], from: number): boolean {
  return entries.every(({ role }, index) => messages[from + index]?.role === role);
}

/**
 * Returns the range of input messages that equal the turns of an earlier conversation. The range starts at the first
 * message, or after new system messages. `undefined` if the messages do not match the turns.
 */
function rangeOf(turns: readonly Turn[], { messages }: SessionInput): { from: number; to: number } | undefined {
  const entries = toTranscript(turns);
  for (let from = 0; entries.length > 0 && from + entries.length < messages.length; from += 1) {
    if (isAt(entries, messages, from)) return { from, to: from + entries.length };
    if (messages[from]?.role !== "system") return undefined;
  }
  return undefined;
}

async function loadCheckpoint({ run }: SessionRun): Promise<Checkpoint | undefined> {
  const store = run.deps.get(DEPENDENCY.historyStore);
  // If loading fails, the run continues from the transcript in the input.
  return isHistoryStore(store) ? store.load().catch(() => undefined) : undefined;
}

function read(checkpoint: Checkpoint, job: SessionRun): Omit<EarlierConversation, "updates"> | undefined {
  try {
    const { turns, systemPrompt } = parseAgentCheckpoint(checkpoint).boundary;
    const range = rangeOf(turns, job.input);
    if (range === undefined) return undefined;
    const isSameFamily = checkpoint.specVersion === specVersionOf(job);
    return { turns, ...range, ...(isSameFamily && systemPrompt !== undefined ? { prompt: systemPrompt } : {}) };
  } catch {
    // The checkpoint belongs to another engine or a newer release, so the run uses the transcript instead.
    return undefined;
  }
}

/** Returns a turn that tells the model how its environment has changed. Empty if nothing has changed. */
async function updateTurns(
  job: SessionRun,
  { prompt, turns }: Pick<EarlierConversation, "prompt" | "turns">,
): Promise<readonly Turn[]> {
  const { profile, environment, now, run, config } = job;
  if (prompt === undefined) return [];
  const messages = turns.flatMap((turn) => (turn.type === "steering" ? [turn.content] : []));
  const context = { profile, model: config?.model, environment, now, signal: run.signal };
  const content = await environmentUpdate({ prompt, messages }, context);
  return content === undefined ? [] : [{ type: "steering", content, timestamp: isoTime(now()) }];
}

/**
 * Loads the stored turns and system prompt of the conversation that the run continues. `undefined` if they are not
 * stored, so that only the input's transcript is available.
 */
export async function loadEarlierConversation(job: SessionRun): Promise<EarlierConversation | undefined> {
  const checkpoint = await loadCheckpoint(job);
  const earlier = checkpoint === undefined ? undefined : read(checkpoint, job);
  return earlier && { ...earlier, updates: await updateTurns(job, earlier) };
}

/** Returns whether the host supports continuing conversations. The run's final state is then stored. */
export function hasHistory({ run }: SessionRun): boolean {
  return isHistoryStore(run.deps.get(DEPENDENCY.historyStore));
}
