import { addUsage, type Message, NO_USAGE, textMessage, type Usage } from "@switchyard/contracts";
import { isSummary, visibleTurns } from "../compaction/visible-turns.ts";
import { withholdsImages, withoutWithheldImages } from "../image/withheld-images.ts";
import { KnownIds } from "./known-ids.ts";
import type { ParsedResponse } from "./parse-response.ts";
import { RecentCalls } from "./recent-calls.ts";
import { repairHistory } from "./repair-history.ts";
import type { AssistantTurn, SteeringTurn, ToolResultsTurn, Turn } from "./turn.ts";
import { parseAssistantTurn, resultsToMessage, turnToMessage } from "./turn-to-message.ts";

/** loop §5.5: characters that count as one token. */
export const CHARACTERS_PER_TOKEN = 4;

// Counted by index, here and below: an iteration takes memory for each element until V8 has optimized it.
function charactersOfResponse({ content, reasoning, toolCalls }: AssistantTurn): number {
  let count = content.length + (reasoning?.length ?? 0);
  for (let index = 0; index < toolCalls.length; index += 1) {
    const call = toolCalls[index];
    if (call !== undefined) count += call.name.length + call.arguments.length;
  }
  return count;
}

function charactersOfResults({ results }: ToolResultsTurn): number {
  let count = 0;
  for (let index = 0; index < results.length; index += 1) count += results[index]?.content.length ?? 0;
  return count;
}

/** Characters of a turn that count for the size of the context. loop: §5.5. */
export function charactersOf(turn: Turn): number {
  if (turn.type === "assistant") return charactersOfResponse(turn);
  return turn.type === "tool_results" ? charactersOfResults(turn) : turn.content.length;
}

/** Tokens that a turn cost; nothing for one that no model made. */
export function usageOfTurn(turn: Turn): Usage | undefined {
  if (turn.type === "assistant") return turn.usage;
  return isSummary(turn) ? turn.compaction.usage : undefined;
}

/**
 * The history of a session with everything the loop asks of it kept up to date on the way in, so that a round
 * costs the same at the beginning and at the end of a long session. loop: Session.history, §2.1.
 */
export class Conversation {
  readonly #turns: Turn[] = [];
  /** The system prompt first, so that a request is one piece of the list; nothing in it ever changes. */
  #messages: Message[] = [textMessage("system", "")];
  #systemPrompt = "";
  readonly #callIds = new KnownIds();
  readonly #responseIds = new KnownIds();
  readonly #recentCalls = new RecentCalls(this.#turns);
  #characters = 0;
  #modelTurns = 0;
  #usage: Usage = { ...NO_USAGE };
  #unrecordedUsage: Usage | undefined;
  /** Turns whose usage is in that sum, or not to be: it is added up when somebody asks. */
  #summedTurns = 0;
  /** Tokens of the last answer to what the model sees, and the characters there were with it. */
  #answeredTokens = 0;
  #answeredCharacters = 0;
  #lastUsage: Usage | undefined;

  /**
   * Takes over an earlier history, repaired where it was cut. Its turns count as history, not as turns of this
   * session; those of a session that goes on are appended.
   */
  constructor(history: readonly Turn[]) {
    for (const turn of repairHistory(history)) this.#record(turn);
    this.#summedTurns = this.#turns.length;
  }

  /** Every turn, in order. */
  get turns(): readonly Turn[] {
    return this.#turns;
  }

  /** Answers of the model since the session was made. loop: count_turns, §2.5 step 1. */
  get modelTurns(): number {
    return this.#modelTurns;
  }

  /** Characters of the history, as far as the model sees it. loop: total_chars_in_history, §5.5. */
  get characters(): number {
    return this.#characters;
  }

  /** Tokens of what the model sees, by the heuristic of §5.5 or as the provider counted them, whichever is more. */
  get tokens(): number {
    const tokens = this.#answeredTokens;
    const since = this.#characters - this.#answeredCharacters;
    const counted = tokens === 0 ? 0 : tokens + since / CHARACTERS_PER_TOKEN;
    return Math.max(this.#characters / CHARACTERS_PER_TOKEN, counted);
  }

  /** Tokens of the last answer to what the model sees, where there is one. */
  get lastUsage(): Usage | undefined {
    return this.#lastUsage;
  }

  /** Whether the model would see less with a summary than without. */
  isShorterWith(summary: SteeringTurn): boolean {
    const seen = visibleTurns(withoutWithheldImages([...this.#turns, summary]));
    return seen.reduce((sum, turn) => sum + charactersOf(turn), 0) < this.#characters;
  }

  /** The turns that the model sees, in its order: behind a compaction the summary comes first. */
  visibleTurns(): readonly Turn[] {
    return visibleTurns(withoutWithheldImages(this.#turns));
  }

  /** Tokens of all answers since the session was made. */
  get usage(): Usage {
    for (; this.#summedTurns < this.#turns.length; this.#summedTurns += 1) {
      const turn = this.#turns[this.#summedTurns];
      const usage = turn === undefined ? undefined : usageOfTurn(turn);
      if (usage !== undefined) this.#usage = addUsage(this.#usage, usage);
    }
    return this.#usage;
  }

  /**
   * The conversation as a request carries it: the system prompt, then the history. The list grows with it, and what is in
   * it never changes. loop: §2.5 step 2.
   */
  messages(systemPrompt: string): readonly Message[] {
    if (systemPrompt !== this.#systemPrompt) {
      this.#systemPrompt = systemPrompt;
      // Earlier requests keep theirs.
      this.#messages = [textMessage("system", systemPrompt), ...this.#messages.slice(1)];
    }
    return this.#messages;
  }

  /** Appends a turn. */
  append(turn: Turn): void {
    if (turn.type === "assistant") this.appendResponse(turn, parseAssistantTurn(turn));
    else this.#record(turn);
  }

  /** Appends an answer of the model that was read. */
  appendResponse(turn: AssistantTurn, read: ParsedResponse): void {
    this.#recordResponse(turn, read);
    this.#modelTurns += 1;
  }

  /** Appends what came of the calls of an answer. */
  appendResults(turn: ToolResultsTurn): void {
    this.#turns.push(turn);
    this.#show(resultsToMessage(turn), charactersOfResults(turn));
  }

  /** Tokens that were paid for something that is in no turn; `undefined` if there were none. */
  get unrecordedUsage(): Usage | undefined {
    return this.#unrecordedUsage;
  }

  /** Counts tokens that were paid for something that is in no turn. */
  addUsage(usage: Usage): void {
    this.#usage = addUsage(this.usage, usage);
    this.#unrecordedUsage = addUsage(this.#unrecordedUsage ?? NO_USAGE, usage);
  }

  /** Name of the pattern that the last `window` tool calls repeat; nothing where they repeat none. loop: §2.10. */
  findLoop(window: number): string | undefined {
    return this.#recentCalls.findLoop(window);
  }

  /** An id no call of the conversation has yet: the given one if it is free, else one made from it. */
  freeCallId(id: string, taken: ReadonlySet<string>): string {
    if (id !== "" && !this.#callIds.has(id) && !taken.has(id)) return id;
    const stem = id === "" ? "call" : id;
    let number = this.#callIds.size + taken.size + 1;
    while (this.#callIds.has(`${stem}-${number}`) || taken.has(`${stem}-${number}`)) number += 1;
    return `${stem}-${number}`;
  }

  /** Whether a call of the conversation has this id. */
  hasCall(id: string): boolean {
    return this.#callIds.has(id);
  }

  /** Whether no answer of the conversation has this id yet: some providers give every answer the same one. */
  isNewResponse(id: string): boolean {
    return id !== "" && !this.#responseIds.has(id);
  }

  // One way for each kind of turn, as a round has one of each: where all take the same, V8 compiles it anew with every new
  // kind and for all that call it.
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
    this.#showAgain();
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
    const { toolCalls } = turn;
    for (let index = 0; index < toolCalls.length; index += 1) {
      const call = toolCalls[index];
      if (call === undefined) continue;
      this.#callIds.add(call.id);
      this.#recentCalls.add(call);
    }
  }

  #show(message: Message | undefined, characters: number): void {
    if (message !== undefined) this.#messages.push(message);
    this.#characters += characters;
  }

  /** After a compaction, or where images are withheld, the model sees other turns than before. */
  #showAgain(): void {
    this.#messages = this.#messages.slice(0, 1);
    this.#characters = 0;
    this.#answeredTokens = 0;
    this.#answeredCharacters = 0;
    this.#lastUsage = undefined;
    for (const turn of this.visibleTurns()) this.#show(turnToMessage(turn), charactersOf(turn));
  }
}
