import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AdapterKind, createAdapterEngine, defineAdapter, forkPerTurnAdapter } from "@switchyard/adapter-kit";
import type { Engine } from "@switchyard/contracts";

const PROGRAM = fileURLToPath(new URL("./fixtures/stumbling-agent.mjs", import.meta.url));

/** What one start of the agent does. */
export interface Start {
  /** Whether it announces its session; it does by default. */
  readonly session?: boolean;
  readonly says?: string;
  readonly reports?: "success" | "incomplete" | "refusal";
  readonly exitCode?: number;
  readonly hangs?: boolean;
}

/** An agent that does as it is told at each start, as a kind of adapter that reports tokens or none. */
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

/** A stumbling agent as an engine. */
export interface StumblingAgent {
  readonly engine: Engine;
  /** What it was started with, start by start. */
  readonly starts: () => readonly { readonly how: string; readonly id: string; readonly prompt: string }[];
}

/** Makes the agent in a folder of its own; the last of what it does is done again for further starts. */
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
