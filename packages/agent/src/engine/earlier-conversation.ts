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

/** An earlier conversation as its engine stored it, with what a transcript leaves out. */
export interface EarlierConversation {
  /** Its turns, with the provider's own messages. */
  readonly turns: readonly Turn[];
  /** Its system prompt; `undefined` if it was made for another model family. */
  readonly prompt?: string | undefined;
  /** Messages that tell the model how its environment has changed. */
  readonly updates: readonly Turn[];
  /** Index of the first message of the input that belongs to it. */
  readonly from: number;
  /** Index of the first message of the input after it. */
  readonly to: number;
}

function isAt(entries: readonly SessionMessage[], messages: readonly SessionMessage[], from: number): boolean {
  return entries.every(({ role }, index) => messages[from + index]?.role === role);
}

/** Where the turns are among the messages of an input: first, or after system messages that are new. */
function placeOf(turns: readonly Turn[], { messages }: SessionInput): { from: number; to: number } | undefined {
  const entries = toTranscript(turns);
  for (let from = 0; entries.length > 0 && from + entries.length < messages.length; from += 1) {
    if (isAt(entries, messages, from)) return { from, to: from + entries.length };
    if (messages[from]?.role !== "system") return undefined;
  }
  return undefined;
}

async function loadCheckpoint({ run }: SessionRun): Promise<Checkpoint | undefined> {
  const store = run.deps.get(DEPENDENCY.historyStore);
  // Without it the transcript in the input is continued.
  return isHistoryStore(store) ? store.load().catch(() => undefined) : undefined;
}

function read(checkpoint: Checkpoint, job: SessionRun): Omit<EarlierConversation, "updates"> | undefined {
  try {
    const { turns, systemPrompt } = parseAgentCheckpoint(checkpoint).boundary;
    const place = placeOf(turns, job.input);
    if (place === undefined) return undefined;
    const isSameFamily = checkpoint.specVersion === specVersionOf(job);
    return { turns, ...place, ...(isSameFamily && systemPrompt !== undefined ? { prompt: systemPrompt } : {}) };
  } catch {
    // A checkpoint of another engine, or of a newer release.
    return undefined;
  }
}

/** The turn that tells the model how its environment has changed; empty if it has not. */
async function updateTurns(
  job: SessionRun,
  { prompt, turns }: Pick<EarlierConversation, "prompt" | "turns">,
): Promise<readonly Turn[]> {
  const { profile, environment, now, run, config } = job;
  if (prompt === undefined) return [];
  const messages = turns.flatMap((turn) => (turn.type === "steering" ? [turn.content] : []));
  const place = { profile, model: config?.model, environment, now, signal: run.signal };
  const content = await environmentUpdate({ prompt, messages }, place);
  return content === undefined ? [] : [{ type: "steering", content, timestamp: isoTime(now()) }];
}

/** The conversation that the run continues, as its engine stored it; `undefined` if only the input knows it. */
export async function loadEarlierConversation(job: SessionRun): Promise<EarlierConversation | undefined> {
  const checkpoint = await loadCheckpoint(job);
  const earlier = checkpoint === undefined ? undefined : read(checkpoint, job);
  return earlier && { ...earlier, updates: await updateTurns(job, earlier) };
}

/** Whether the host continues conversations: the run may continue one, and its own state is stored at its end. */
export function hasHistory({ run }: SessionRun): boolean {
  return isHistoryStore(run.deps.get(DEPENDENCY.historyStore));
}
