import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AdapterKind, createAdapterEngine, defineAdapter, forkPerTurnAdapter } from "@switchyard/adapter-kit";
import type { Engine } from "@switchyard/contracts";

const PROGRAM = fileURLToPath(new URL("./fixtures/stumbling-agent.mjs", import.meta.url));

/** Behaviour of one start of the agent. */
export interface Start {
  /** Whether it announces its session. Default: true. */
  readonly session?: boolean;
  readonly says?: string;
  readonly reports?: "success" | "incomplete" | "refusal";
  readonly exitCode?: number;
  readonly hangs?: boolean;
}

/** A scripted agent with a behaviour for each start. Its adapter kind reports tokens or none. */
function stumbling(usage: "turn_end" | "none"): AdapterKind {
  return defineAdapter({
    ...{ kind: "stumbling", defaultCommand: "stumbling", credentials: [], readConfig: () => undefined },
    capabilities: { usage, resume: "id", permissions: "none are asked for", mcp: false },
    create: (settings) =>
      forkPerTurnAdapter(settings, {
        start: () => undefined,
        mintSessionId: () => settings.createId(),
        buildTurn: ({ turn, prompt, sessionId, isResumed }) => ({
          args: [turn === 1 && !isResumed ? "new" : "known", sessionId],
          stdin: prompt,
        }),
        parseLine(line, turn) {
          const [word, ...rest] = line.split(" ");
          const text = rest.join(" ");
          if (word === "session") turn.sessionStarted(text);
          if (word === "says") turn.text(text);
          if (word === "reports" && text === "success") {
            turn.turnUsage({ inputTokens: 30, outputTokens: 4 });
            turn.report({ kind: "success" });
          }
          if (word === "reports" && text === "incomplete") turn.report({ kind: "incomplete" });
          if (word === "reports" && text === "refusal") {
            turn.report({ kind: "failure", problem: "no", code: "adapter.turn_refused" });
          }
        },
      }),
  });
}

/** Creates an engine from a scripted agent. */
export interface StumblingAgent {
  readonly engine: Engine;
  /** The arguments of each start. */
  readonly starts: () => readonly { readonly how: string; readonly id: string; readonly prompt: string }[];
}

/** Creates the agent in a separate folder. Further starts repeat the last behaviour. */
export function stumblingAgent(
  folder: string,
  plan: readonly Start[],
  more: { readonly usage?: "none"; readonly config?: Readonly<Record<string, unknown>> } = {},
): StumblingAgent {
  writeFileSync(join(folder, "plan.json"), JSON.stringify(plan));
  const kind = stumbling(more.usage ?? "turn_end");
  const adapter = kind.create({ command: [process.execPath, PROGRAM, folder], ...more.config });
  return {
    engine: createAdapterEngine(adapter),
    starts: () => {
      const lines = readFileSync(join(folder, "starts.jsonl"), "utf8").trim().split("\n");
      return lines.map((line) => JSON.parse(line));
    },
  };
}
