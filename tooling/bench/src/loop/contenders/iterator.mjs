// @ts-check
// The session as the README of @switchyard/agent shows it: a profile with its own tools, and a loop over the events.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAnthropicProfile, Session } from "@switchyard/agent";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { benchClient, benchTool } from "./our-parts.mjs";
import { listener } from "./plan.mjs";

/** @import { Contender } from "./plan.mjs" */

/** Creates the contender of our loop as a library. @returns {Promise<Contender>} */
export async function openIterator() {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-bench-"));
  const environment = await openLocalEnvironment({ root: folder, env: process.env });
  /** @type {unknown[]} */
  const kept = [];
  return {
    converse: async (plan) => {
      const { sawCall, sawDelta, seen } = listener(plan);
      const profile = createAnthropicProfile({ model: "bench", tools: [benchTool(plan)] });
      const session = new Session({ profile, environment, client: benchClient(plan) });
      kept.push(session);
      for await (const event of session.submit("go")) {
        if (event.type === "tool_call_end") sawCall();
        if (event.type === "assistant_text_delta") {
          const pause = sawDelta(event.data.content);
          if (pause !== undefined) await pause;
        }
      }
      await session.close();
      return seen();
    },
    close: async () => {
      await environment[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
