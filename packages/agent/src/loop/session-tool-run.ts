import type { ToolDefinition } from "@switchyard/contracts";
import type { ToolRunOptions } from "../pipeline/run-tool.ts";
import type { SessionConfig } from "../session/session-config.ts";
import type { SessionCore } from "../session/session-core.ts";
import { askForTool } from "./ask-user.ts";
import { warnOnce } from "./warn-once.ts";

/** Maximum number of ignored schema keywords that one warning lists. */
const MAX_NAMED = 5;

function warnOfUnchecked(core: SessionCore, { name, source }: ToolDefinition, ignored: readonly string[]): void {
  const owner = source === undefined ? "" : ` of ${source}`;
  const more = ignored.length > MAX_NAMED ? `; and ${ignored.length - MAX_NAMED} more` : "";
  const parts = ignored.slice(0, MAX_NAMED).join("; ");
  const message = `Arguments of the tool ${name}${owner} are checked in part only. Not checked: ${parts}${more}.`;
  warnOnce(core, { message, kind: "tool_schema_unchecked" });
}

/** Returns the timeouts of commands: the host's, otherwise the profile's. See loop: §3.5, §5.4. */
export function commandTimeoutsOf(config: SessionConfig, profileMs: number): ToolRunOptions["commandTimeouts"] {
  return { defaultMs: config.defaultCommandTimeoutMs ?? profileMs, maxMs: config.maxCommandTimeoutMs };
}

/**
 * Options for the tool calls of a session. All calls share the options object. Timeouts are getters, so each call uses
 * the current value.
 */
export class SessionToolRun implements ToolRunOptions {
  readonly #core: SessionCore;
  readonly registry: ToolRunOptions["registry"];
  readonly environment: ToolRunOptions["environment"];
  readonly signal: AbortSignal;
  readonly spool: ToolRunOptions["spool"];
  readonly background: ToolRunOptions["background"];
  readonly subagents: ToolRunOptions["subagents"];
  readonly callExtension: ToolRunOptions["callExtension"];
  readonly askUser: ToolRunOptions["askUser"];
  readonly onUnchecked: ToolRunOptions["onUnchecked"];

  constructor(core: SessionCore) {
    this.#core = core;
    this.registry = core.registry;
    this.environment = core.environment;
    this.signal = core.signal;
    this.spool = core.spool;
    this.background = core.background;
    this.subagents = core.subagents;
    this.callExtension = core.callExtension;
    this.onUnchecked = (definition, ignored) => warnOfUnchecked(core, definition, ignored);
    this.askUser = core.askUser === undefined ? undefined : (prompt) => askForTool(core, prompt);
  }

  get graceMs(): number {
    return this.#core.config.abortGraceMs;
  }

  get commandTimeouts(): ToolRunOptions["commandTimeouts"] {
    return commandTimeoutsOf(this.#core.config, this.#core.profile.commandTimeoutMs);
  }

  onUpdate(callId: string, content: string): void {
    this.#core.emit("tool_call_output_delta", { tool_call_id: callId, content });
  }
}
