import type { Usage } from "@switchyard/contracts";

/** What all entries of a timeline have. Entries are changed in place; `version` says how often. */
export interface EntryBase {
  readonly key: string;
  version: number;
}

/** What somebody said. */
export interface SaidEntry extends EntryBase {
  readonly kind: "said";
  readonly who: "user" | "steering" | "agent";
  content: string;
  reasoning: string;
  /** Whether more of it is coming, or it has not reached the engine yet. */
  isOpen: boolean;
}

/** A call of a tool. */
export interface ToolEntry extends EntryBase {
  readonly kind: "tool";
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  readonly startedMs: number;
  output: string;
  /** Unset as long as it runs. */
  endedMs?: number | undefined;
  isError: boolean;
  isCancelled: boolean;
  /** Who allowed or denied it, where somebody was asked. */
  decision?: string | undefined;
}

/** A question for the user. */
export interface QuestionEntry extends EntryBase {
  readonly kind: "question";
  readonly promptId: string;
  readonly text: string;
  /** What may be answered, where only some answers are taken. */
  readonly choices: readonly string[];
  /** Unset as long as nobody answered. */
  answer?: string | undefined;
}

/** Something that happened and needs one line. */
export interface NoticeEntry extends EntryBase {
  readonly kind: "notice";
  readonly level: "info" | "warning" | "error";
  readonly message: string;
}

/** One step of the engine with what happened in it. */
export interface TurnEntry extends EntryBase {
  readonly kind: "turn";
  readonly number: number;
  readonly startedMs: number;
  readonly entries: Entry[];
  endedMs?: number | undefined;
  problem?: string | undefined;
}

/** A subagent with all that it did. */
export interface SubagentEntry extends EntryBase {
  readonly kind: "subagent";
  readonly agentId: string;
  readonly task: string;
  readonly lane: Lane;
  status: "running" | "completed" | "failed";
  lastWords: string;
}

/** An entry of a timeline; `kind` says which. */
export type Entry = SaidEntry | ToolEntry | QuestionEntry | NoticeEntry | TurnEntry | SubagentEntry;

/** What one agent did. */
export interface Lane {
  readonly entries: Entry[];
}

/** Tokens and cost of one answer. */
export interface AnswerUsage {
  readonly agentId: string;
  readonly usage: Usage;
}
