import type { TurnReport } from "../outcome/decide-turn.ts";
import type { MeasuredTokens } from "../usage/create-usage-accumulator.ts";

/** What a tool came to. */
export interface ToolEnd {
  /** What it printed. */
  readonly output?: string | undefined;
  /** Whether it failed. */
  readonly isError?: boolean | undefined;
  /** Milliseconds by the agent's own measure, in place of the kit's. */
  readonly durationMs?: number | undefined;
}

/** A tool that the agent calls. */
export interface ToolStart {
  /** Id of the call. */
  readonly id: string;
  /** Name of the tool. */
  readonly name: string;
  /** Arguments, as plain data. */
  readonly arguments?: unknown;
}

/** What an adapter says about the turn while it reads the agent's output. Nothing here decides how the turn ends. */
export interface TurnScope {
  /** The agent's session has begun, or has another id now. */
  sessionStarted(id: string, details?: { readonly model?: string | undefined }): void;
  /** The model that answers. */
  model(name: string): void;
  /** A text of the model: evidence of work. */
  text(text: string): void;
  /** A tool call began: evidence of work. */
  toolStarted(tool: ToolStart): void;
  /** A tool call ended; an id that never began is passed over. */
  toolEnded(id: string, end?: ToolEnd): void;
  /** The agent asked for a tool that it is not offered: evidence of work. */
  toolRefused(name: string): void;
  /** Tokens of one request, by its id. */
  requestUsage(id: string, tokens: MeasuredTokens): void;
  /** Tokens of the whole turn. */
  turnUsage(tokens: MeasuredTokens, details?: { readonly apiDurationMs?: number | undefined }): void;
  /** Tokens of the whole conversation so far, and of its last request. */
  conversationUsage(tokens: MeasuredTokens, last: MeasuredTokens): void;
  /** The agent says something about itself; an empty text is a sign of life and no more. */
  notify(message: string): void;
  /** A line of a kind that has no meaning here. */
  other(message: string): void;
  /** A permission for a tool was asked for and refused: evidence of work. */
  permissionRefused(what: string): void;
  /** The agent waits for a person: the turn ends with that question. */
  asksPerson(question: string): void;
  /**
   * Records how the agent says that its turn ended; the last report counts. The process then has `result_grace_ms` to
   * exit. Past it the process is ended and the report stands. Text that follows a report is emitted and does not replace
   * the final message.
   */
  report(report: TurnReport): void;
  /**
   * Starts the same grace period without a report: the agent has printed the last output of its turn, and `finish`
   * will report how it ended.
   */
  expectExit(): void;
  /** Ends the grace period, for agents that continue after what looked like their last output or report. */
  expectOutput(): void;
}
