import { addUsage, type Message, NO_USAGE, textMessage, type Usage } from "@switchyard/contracts";
import { isSummary, visibleTurns } from "../compaction/visible-turns.ts";
import { withholdsImages, withoutWithheldImages } from "../image/withheld-images.ts";
import { KnownIds } from "./known-ids.ts";
import type { ParsedResponse } from "./parse-response.ts";
import { RecentCalls } from "./recent-calls.ts";
import { repairHistory } from "./repair-history.ts";
import type { AssistantTurn, SteeringTurn, ToolResultsTurn, Turn } from "./turn.ts";
import { parseAssistantTurn, resultsToMessage, turnToMessage } from "./turn-to-message.ts";

/** Number of characters that count as one token. See loop: §5.5. */
export const CHARACTERS_PER_TOKEN = 4;

function charactersOfResponse({ content, reasoning, toolCalls }: AssistantTurn): number {
  let count = content.length + (reasoning?.length ?? 0);
  for (const call of toolCalls) count += call.name.length + call.arguments.length;
  return count;
}

function charactersOfResults({ results }: ToolResultsTurn): number {
  let count = 0;
  for (const { content } of results) count += content.length;
  return count;
}

/** Returns the number of characters of a turn that count towards the context size. See loop: §5.5. */
export function charactersOf(turn: Turn): number {
  if (turn.type === "assistant") return charactersOfResponse(turn);
  return turn.type === "tool_results" ? charactersOfResults(turn) : turn.content.length;
}

/** Returns the usage of a turn. `undefined` for turns that no model produced. */
export function usageOfTurn(turn: Turn): Usage | undefined {
  if (turn.type === "assistant") return turn.usage;
  return isSummary(turn) ? turn.compaction.usage : undefined;
}

/**
 * History of a session. Values derived from the history are updated as turns are added, so that a round costs the same
 * in short and long sessions. See loop: Session.history, §2.1.
 */
export class Conversation {
  readonly #turns: Turn[] = [];
  /**
   * Messages of a request. Starts with the system prompt. Entries are immutable, so that requests can share the array.
   */
  #messages: Message[] = [textMessage("system", "")];
  #systemPrompt = "";
  readonly #callIds = new KnownIds();
  readonly #responseIds = new KnownIds();
  readonly #recentCalls = new RecentCalls(this.#turns);
  #characters = 0;
  #modelTurns = 0;
  #usage: Usage = { ...NO_USAGE };
  #unrecordedUsage: Usage | undefined;
  /** Number of turns already included in `#usage`, which is computed on demand. */
  #summedTurns = 0;
  /**
   * Token count that the provider reported with the last response, and the number of characters in the context when it
   * was reported.
   */
  #answeredTokens = 0;
  #answeredCharacters = 0;
  #lastUsage: Usage | undefined;

  /**
   * Creates a conversation with an initial history, which is repaired if it is incomplete. The initial turns do not
   * count as turns of this session. When a session is resumed, its turns are therefore appended and not passed as
   * `history`.
   */
  constructor(history: readonly Turn[]) {
    for (const turn of repairHistory(history)) this.#record(turn);
    this.#summedTurns = this.#turns.length;
  }

  /** All turns, in order. */
  get turns(): readonly Turn[] {
    return this.#turns;
  }

  /** Number of model responses since the session was created. See loop: count_turns, §2.5 step 1. */
  get modelTurns(): number {
    return this.#modelTurns;
  }

  /** Number of characters of the visible history. See loop: total_chars_in_history, §5.5. */
  get characters(): number {
    return this.#characters;
  }

  /** Number of tokens of the visible history. The larger of the estimate of §5.5 and the provider's count. */
  get tokens(): number {
    const tokens = this.#answeredTokens;
    const since = this.#characters - this.#answeredCharacters;
    const counted = tokens === 0 ? 0 : tokens + since / CHARACTERS_PER_TOKEN;
    return Math.max(this.#characters / CHARACTERS_PER_TOKEN, counted);
  }

  /** Usage of the latest model response in the visible history. `undefined` before the first response. */
  get lastUsage(): Usage | undefined {
    return this.#lastUsage;
  }

  /** Returns whether the summary would make the visible history shorter. */
  isShorterWith(summary: SteeringTurn): boolean {
    const seen = visibleTurns(withoutWithheldImages([...this.#turns, summary]));
    return seen.reduce((sum, turn) => sum + charactersOf(turn), 0) < this.#characters;
  }

  /** Returns the turns that the model sees, in order. After a compaction, the summary comes first. */
  visibleTurns(): readonly Turn[] {
    return visibleTurns(withoutWithheldImages(this.#turns));
  }

  /** Total usage of all responses since the session was created. */
  get usage(): Usage {
    for (; this.#summedTurns < this.#turns.length; this.#summedTurns += 1) {
      const turn = this.#turns[this.#summedTurns];
      const usage = turn === undefined ? undefined : usageOfTurn(turn);
      if (usage !== undefined) this.#usage = addUsage(this.#usage, usage);
    }
    return this.#usage;
  }

  /**
   * Returns the messages of a request: the system prompt, then the history. The array grows with the history, but
   * existing messages never change. See loop: §2.5 step 2.
   */
  messages(systemPrompt: string): readonly Message[] {
    if (systemPrompt !== this.#systemPrompt) {
      this.#systemPrompt = systemPrompt;
      // A new array is created, because earlier requests still use the previous one.
      this.#messages = [textMessage("system", systemPrompt), ...this.#messages.slice(1)];
    }
    return this.#messages;
  }

  /** Appends a turn. */
  append(turn: Turn): void {
    if (turn.type === "assistant") this.appendResponse(turn, parseAssistantTurn(turn));
    else this.#record(turn);
  }

  /** Appends a model response that is already parsed. */
  appendResponse(turn: AssistantTurn, read: ParsedResponse): void {
    this.#recordResponse(turn, read);
    this.#modelTurns += 1;
  }

  /** Appends the results of a response's calls. */
  appendResults(turn: ToolResultsTurn): void {
    this.#turns.push(turn);
    this.#show(resultsToMessage(turn), charactersOfResults(turn));
  }

  /** Usage that belongs to no turn, such as that of a failed compaction. `undefined` if there is none. */
  get unrecordedUsage(): Usage | undefined {
    return this.#unrecordedUsage;
  }

  /** Adds usage that belongs to no turn. */
  addUsage(usage: Usage): void {
    this.#usage = addUsage(this.usage, usage);
    this.#unrecordedUsage = addUsage(this.#unrecordedUsage ?? NO_USAGE, usage);
  }

  /**
   * Returns a text that identifies the pattern that the last `window` tool calls repeat. `undefined` if there is none.
   * See loop: §2.10.
   */
  findLoop(window: number): string | undefined {
    return this.#recentCalls.findLoop(window);
  }

  /** Returns a call id that is unique in the conversation: the given id, or one derived from it. */
  freeCallId(id: string, taken: ReadonlySet<string>): string {
    if (id !== "" && !this.#callIds.has(id) && !taken.has(id)) return id;
    const stem = id === "" ? "call" : id;
    let number = this.#callIds.size + taken.size + 1;
    while (this.#callIds.has(`${stem}-${number}`) || taken.has(`${stem}-${number}`)) number += 1;
    return `${stem}-${number}`;
  }

  /** Returns whether any tool call of the conversation has this id. */
  hasCall(id: string): boolean {
    return this.#callIds.has(id);
  }

  /**
   * Returns whether no earlier response has this id. Always false for an empty id. The check is needed because some
   * providers use one id for all responses.
   */
  isNewResponse(id: string): boolean {
    return id !== "" && !this.#responseIds.has(id);
  }

  #record(turn: Turn): void {
    if (turn.type === "assistant") this.#recordResponse(turn, parseAssistantTurn(turn));
    else if (turn.type === "tool_results") this.appendResults(turn);
    else this.#recordMessage(turn);
  }

  #recordMessage(turn: Exclude<Turn, AssistantTurn | ToolResultsTurn>): void {
    this.#turns.push(turn);
    if (!isSummary(turn) && !withholdsImages(turn)) {
      this.#show(turnToMessage(turn), charactersOf(turn));
      return;
    }
    this.#restore();
    if (!isSummary(turn)) return;
    if (turn.compaction.usage?.responseId !== undefined) this.#responseIds.add(turn.compaction.usage.responseId);
  }

  #recordResponse(turn: AssistantTurn, { shown, size }: ParsedResponse): void {
    this.#turns.push(turn);
    this.#show(shown, size);
    if (turn.usage.totalTokens > 0) {
      this.#answeredTokens = turn.usage.totalTokens;
      this.#answeredCharacters = this.#characters;
      this.#lastUsage = turn.usage;
    }
    if (turn.responseId !== undefined) this.#responseIds.add(turn.responseId);
    for (const call of turn.toolCalls) {
      this.#callIds.add(call.id);
      this.#recentCalls.add(call);
    }
  }

  #show(message: Message | undefined, characters: number): void {
    if (message !== undefined) this.#messages.push(message);
    this.#characters += characters;
  }

  /**
   * Rebuilds the messages. Needed when the visible turns change after a compaction, or when images are no longer sent.
   */
  #restore(): void {
    this.#messages = this.#messages.slice(0, 1);
    this.#characters = 0;
    this.#answeredTokens = 0;
    this.#answeredCharacters = 0;
    this.#lastUsage = undefined;
    for (const turn of this.visibleTurns()) this.#show(turnToMessage(turn), charactersOf(turn));
  }
}
