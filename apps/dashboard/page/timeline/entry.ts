import type { Usage } from "@switchyard/contracts";

/** Common properties of timeline entries. Entries are changed in place. `version` increases with each change. */
export interface EntryBase {
  readonly key: string;
  version: number;
}

/** Message of the user or the agent. */
export interface MessageEntry extends EntryBase {
  readonly kind: "message";
  readonly speaker: "user" | "steering" | "agent";
  content: string;
  reasoning: string;
  /** True if the agent's message is still streaming, or if the user's message has not reached the engine yet. */
  isOpen: boolean;
}

/** Tool call. */
export interface ToolEntry extends EntryBase {
  readonly kind: "tool";
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  readonly startedMs: number;
  output: string;
  /** End time, in milliseconds since 1970. `undefined` while the call runs. */
  endedMs?: number | undefined;
  isError: boolean;
  isCancelled: boolean;
  /** Time for which the call waited for permissions, in milliseconds. */
  waitedMs: number;
  /** Time since which the call waits for a permission, in milliseconds since 1970. `undefined` if it does not wait. */
  waitingSinceMs?: number | undefined;
  /** Whether the call was allowed or denied, and by whom. `undefined` if it needed no approval. */
  decision?: string | undefined;
}

/** Tool call about which an approval question asks. */
export interface ApprovalSubject {
  readonly tool: string;
  /** Id of the tool call; empty if unknown. */
  readonly callId: string;
  /** Arguments of the call as JSON; empty if unknown. */
  readonly arguments: string;
  /** Command that the call runs. `undefined` if it runs none. */
  readonly command?: string | undefined;
  /** Folder in which the command runs. `undefined`: the workspace. */
  readonly folder?: string | undefined;
  /** Why a permission is needed. */
  readonly reason?: string | undefined;
  /** Id of the subagent that calls the tool. `undefined`: the root agent. */
  readonly agentId?: string | undefined;
}

/** Question of the engine to the user. */
export interface QuestionEntry extends EntryBase {
  readonly kind: "question";
  readonly promptId: string;
  readonly text: string;
  /** Allowed answers. Empty: any answer is allowed. */
  readonly choices: readonly string[];
  /** Time the question was asked, in milliseconds since 1970. */
  readonly askedMs: number;
  /** Tool call that needs a permission. `undefined` for other questions. */
  readonly approval?: ApprovalSubject | undefined;
  /** Answer of the user. `undefined` while the question is open. */
  answer?: string | undefined;
}

/** Notice that is shown on one line. */
export interface NoticeEntry extends EntryBase {
  readonly kind: "notice";
  readonly level: "info" | "warning" | "error";
  readonly message: string;
}

/** Turn of an agent, with the entries that belong to it. */
export interface TurnEntry extends EntryBase {
  readonly kind: "turn";
  readonly number: number;
  readonly startedMs: number;
  readonly entries: Entry[];
  endedMs?: number | undefined;
  problem?: string | undefined;
  /** Tokens and cost of the turn's model responses. `undefined` if none was reported. */
  usage?: Usage | undefined;
}

/** Subagent, with its own timeline entries. */
export interface SubagentEntry extends EntryBase {
  readonly kind: "subagent";
  readonly agentId: string;
  readonly task: string;
  readonly lane: Lane;
  status: "running" | "completed" | "failed";
  lastMessage: string;
}

/** Entry of a timeline. `kind` distinguishes the types. */
export type Entry = MessageEntry | ToolEntry | QuestionEntry | NoticeEntry | TurnEntry | SubagentEntry;

/** Entries of one agent. */
export interface Lane {
  readonly entries: Entry[];
}

/** Tokens and cost of one model response. */
export interface AnswerUsage {
  readonly agentId: string;
  readonly usage: Usage;
}
