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

/** What is kept of one session. */
interface KiroState {
  /** Whether a turn succeeded: only then is there a conversation to go on with. */
  hasSucceeded: boolean;
  /** Lines of the turn under way. */
  lines: string[];
}

/** Lines of a transcript that are kept. */
const MAX_LINES = 10_000;
/** Trailer on standard error of a turn that was worked on. */
const CREDITS = "▸ Credits:";
const SIGNED_OUT = "Authentication failed.";
/** Conversations have no id: the newest one of the folder may be another one. */
const NOT_RESUMABLE = "kiro-cli continues only conversations that this process has started";

/**
 * Drives the command `kiro-cli`, never run against the real one: experimental. A process for every turn, whose plain
 * text is its answer. It reports no tokens, so only `turn_timeout_ms` is a budget. `trust_tools` names the tools that
 * are trusted, those that only read by default; `trust_all_tools` trusts all of them. Conversations belong to the
 * folder and continue after the first success. agent-adapter: Kiro.
 */
export const kiro: AdapterKind = defineAdapter({
  kind: "kiro",
  defaultCommand: "kiro-cli",
  capabilities: {
    ...{ usage: "none", resume: "folder", mcp: false },
    permissions: "a list of trusted tools, those that only read by default, or all of them",
  },
  credentials: [KEY_VARIABLE],
  checkup: {
    install: "see https://kiro.dev/docs/cli",
    signIn: `set ${KEY_VARIABLE}: without a key the command waits for a person`,
  },
  modes: {
    // Without settings only what reads is trusted; nobody is asked about the rest.
    ...{ plan: {}, ask: {}, auto: { trust_all_tools: true } },
    replaces: ["trust_all_tools", "trust_tools"],
  },
  readConfig: readKiroConfig,
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

/** What only shows on standard error, once the process has ended by itself. */
function finish({ exitCode, stderr }: TurnEnd, turn: TurnScope, state: KiroState): void {
  if (exitCode !== 0) return;
  const text = state.lines.join("\n");
  // What was printed is the answer and the evidence of work; without the trailer the shared table decides by it.
  if (text !== "") turn.text(text);
  if (stderr.some((line) => line.includes(CREDITS))) {
    turn.report({ kind: "success" });
    state.hasSucceeded ||= text !== "";
  } else if (text === "" && stderr.some((line) => line.includes(SIGNED_OUT))) {
    turn.report({ kind: "failure", problem: "its sign-in failed", code: "adapter.response_error" });
  }
}
