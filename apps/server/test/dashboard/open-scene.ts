import { join } from "node:path";
import { createClient } from "@switchyard/client";
import { makeFolder, type OnFinished, type OpenedServer, openServer } from "../open-server.ts";
import { seedRuns } from "../seed-runs.ts";
import { gate } from "../step-engine.ts";
import { type Script, scriptedAgent } from "./scripted-model.ts";

/** A server with runs in every state, for tests that visit every view of the dashboard. */
export interface Scene {
  readonly server: OpenedServer;
  /** Two completed runs of the same task. */
  readonly first: string;
  readonly second: string;
  /** Run that asks whether it may edit a file. */
  readonly approval: string;
  /** Run that asks the user a question. */
  readonly question: string;
}

const SOURCE = "export function sum(a, b) {\n  // Adds two numbers.\n  return a - b;\n}\n";

/** Final message with every kind of Markdown that the dashboard renders. */
const REPORT = `## What was wrong

\`sum\` **subtracted**. The fix is one character; see [the operator](https://example.org/plus).

1. Read \`sum.js\`.
2. Changed \`-\` to \`+\`.

| Call | Before | After |
|---|---|---|
| \`sum(2, 2)\` | 0 | 4 |

\`\`\`js
export const sum = (a, b) => a + b;
\`\`\`

> Tests pass. No other file uses it, and this sentence is long enough to be wrapped at the width of a comfortable line.`;

const CACHE = { cacheReadTokens: 900 };

function fix(by: string): Script {
  return ({ answers }) => {
    const change = { file_path: "src/sum.js", old_string: "  return a - b;", new_string: `  return ${by};` };
    const command = "node --input-type=module -e 'import { sum } from \"./src/sum.js\"; console.log(sum(2, 2))'";
    if (answers === 0) {
      const calls = [{ name: "read_file", arguments: { file_path: "src/sum.js" } }];
      return { text: "I read the code **first**.", reasoning: "A sum that subtracts?", calls };
    }
    if (answers === 1) return { usage: CACHE, calls: [{ name: "edit_file", arguments: change }] };
    if (answers === 2) return { usage: CACHE, calls: [{ name: "shell", arguments: { command } }] };
    return { text: REPORT, usage: CACHE };
  };
}

/** Opens the scene. `release` ends it. */
export async function openScene(onFinished: OnFinished): Promise<Scene> {
  const blocked = gate();
  const scripts: Readonly<Record<string, Script>> = {
    "Fix the sum in src/sum.js.": fix("a + b"),
    "Fix the sum, and check the types.": fix("Number(a) + Number(b)"),
    "Make the greeting friendlier.": ({ answers }) => {
      if (answers === 0)
        return { text: "I read it.", calls: [{ name: "read_file", arguments: { file_path: "ask.md" } }] };
      if (answers > 1) return { text: "Done." };
      const change = { file_path: "ask.md", old_string: "Hello.", new_string: "Hello, and welcome!" };
      return { text: "The greeting is in `ask.md`.", calls: [{ name: "edit_file", arguments: change }] };
    },
    "Choose a code style.": ({ answers }) =>
      answers === 0
        ? { calls: [{ name: "ask_user", arguments: { question: "Tabs or **spaces**?" } }] }
        : { text: "So be it." },
    "Search the whole history for the first failure.": ({ answers }) =>
      answers === 0
        ? { calls: [{ name: "shell", arguments: { command: "echo searching" } }] }
        : { text: "Still searching.", from: blocked.opened },
  };
  const engine = scriptedAgent((requests) => scripts[requests.last]?.(requests) ?? { text: "Done." }, {
    approval: { rules: [{ tool: "edit_file", path: "ask.md", outcome: "ask" }], otherwise: "allow" },
  });
  const state = join(await makeFolder(onFinished), "state");
  const everyMs = 8 * 3_600_000;
  await seedRuns(state, 60, { fromMs: Date.now() - 61 * everyMs, everyMs });
  const used = { tokens_used: 412_034, tokens_reserved: 900, usd_used: 3.1, usd_reserved: 0.4, active_runs: 1 };
  const limits = { tokens_per_day: 5_000_000, usd_per_day: 20, concurrent_runs: 3 };
  const readBudget = async () => ({ ...used, ...limits, resets_at: "2026-11-30T00:00:00.000Z" });
  const server = await openServer(engine, { concurrency: 3, stateDirectory: state, readBudget }, onFinished);
  onFinished(async () => blocked.open());
  const { runs } = createClient({ url: server.url });
  const files = { "src/sum.js": SOURCE, "ask.md": "Hello.\n", "README.md": "# Sums\n" };
  const start = async (content: string): Promise<string> =>
    (await runs.create({ messages: [{ role: "user", content }] }, { files })).run_id;
  const first = await start("Fix the sum in src/sum.js.");
  await runs.wait(first);
  const second = await start("Fix the sum, and check the types.");
  await runs.wait(second);
  const approval = await start("Make the greeting friendlier.");
  const question = await start("Choose a code style.");
  await start("Search the whole history for the first failure.");
  await start("Wait for a free slot.");
  for (const runId of [approval, question]) {
    for await (const { type } of runs.events(runId)) if (type === "user_prompted") break;
  }
  return { server, first, second, approval, question };
}
