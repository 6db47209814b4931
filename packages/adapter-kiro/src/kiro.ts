import {
  type AdapterKind,
  defineAdapter,
  forkPerTurnAdapter,
  stripColours,
  type TurnEnd,
  type TurnScope,
} from "@switchyard/adapter-kit";
import { EngineError } from "@switchyard/contracts";
import { buildTurn } from "./build-turn.ts";
import { checkCredential, KEY_VARIABLE } from "./check-credential.ts";
import { readKiroConfig } from "./kiro-config.ts";

/** State of a session. */
interface KiroState {
  /** True if a turn succeeded. Without a successful turn, there is no conversation to continue. */
  hasSucceeded: boolean;
  /** Output lines of the current turn. */
  lines: string[];
}

/** Maximum number of output lines that are stored. Further lines are dropped. */
const MAX_LINES = 10_000;
/** Matches the last line on standard error after a turn in which the agent did work. */
const CREDITS = "▸ Credits:";
const SIGNED_OUT = "Authentication failed.";
/** `kiro-cli` conversations have no id, so the newest conversation of the folder may not be that of this session. */
const NOT_RESUMABLE = "kiro-cli continues only conversations that this process has started";

/**
 * Drives the `kiro-cli` command with one process per turn, whose plain-text output is the response. Experimental: not
 * tested with the real command. The command reports no usage, so only `turn_timeout_ms` limits a turn. `trust_tools`
 * lists trusted tools (default: read-only ones), and `trust_all_tools` trusts all. `kiro-cli` stores one conversation
 * per folder. After the first successful turn, later turns continue it. See agent-adapter: Kiro.
 */
export const kiro: AdapterKind = defineAdapter({
  kind: "kiro",
  defaultCommand: "kiro-cli",
  capabilities: {
    ...{ usage: "none", resume: "folder", mcp: false },
    permissions: "a list of trusted tools (default: tools that only read), or all tools",
  },
  credentials: [KEY_VARIABLE],
  checkup: {
    install: "see https://kiro.dev/docs/cli",
    login: `set ${KEY_VARIABLE}; without a key, the command waits for input`,
  },
  modes: {
    // By default only read-only tools are trusted; all others are denied.
    ...{ plan: {}, ask: {}, auto: { trust_all_tools: true } },
    replaces: ["trust_all_tools", "trust_tools"],
  },
  readConfig: readKiroConfig,
  redirect: {
    route: () => ({ apis: [], directReason: "kiro-cli calls the models of its own service only" }),
    ...{ replaces: [], variables: () => ({}) },
  },
  create: (settings, config) =>
    forkPerTurnAdapter<KiroState>(settings, {
      async start(target, { signal, resumeSessionId = "" }) {
        if (resumeSessionId !== "") throw new EngineError("adapter.session_not_found", { problem: NOT_RESUMABLE });
        await checkCredential(target, signal);
        return { hasSucceeded: false, lines: [] };
      },
      mintSessionId: () => settings.createId(),
      announcesEarly: true,
      buildTurn({ prompt, state }) {
        state.lines = [];
        return buildTurn(config, prompt, state.hasSucceeded);
      },
      parseLine(line, turn, state) {
        const text = stripColours(line).trimEnd();
        if (text !== "" && state.lines.length < MAX_LINES) state.lines.push(text);
        turn.notify(text);
      },
      parseStderr(line, turn) {
        if (line.includes(CREDITS)) turn.expectExit();
      },
      finish,
    }),
});

/** Determines from standard error how the turn ended. Called once the process has exited by itself. */
function finish({ exitCode, stderr }: TurnEnd, turn: TurnScope, state: KiroState): void {
  if (exitCode !== 0) return;
  const text = state.lines.join("\n");
  // The output is the response and the evidence of work.
  // If standard error contains no line that reports credits, `decideTurn` decides how the turn ended.
  if (text !== "") turn.text(text);
  if (stderr.some((line) => line.includes(CREDITS))) {
    turn.report({ kind: "success" });
    state.hasSucceeded ||= text !== "";
  } else if (text === "" && stderr.some((line) => line.includes(SIGNED_OUT))) {
    turn.report({ kind: "failure", problem: "its authentication failed", code: "adapter.response_error" });
  }
}
