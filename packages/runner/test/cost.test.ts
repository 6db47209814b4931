import { createServer } from "node:http";
import { SESSION_RESULT, type SessionReport, type Usage } from "@switchyard/contracts";
import { defineEngine } from "@switchyard/engine";
import { expect, test } from "vitest";
import { type AgentEngineConfig, openAgentEngine, runSession } from "../src/index.ts";
import { task, temporaryWorkspace } from "./temporary-session.ts";

const MODEL = "openai-compatible/house-model";
const USAGE = { prompt_tokens: 1000, completion_tokens: 10, total_tokens: 1010 };

/**
 * Starts a server with OpenAI's Chat Completions API that reports token usage. The first `broken` responses break off.
 */
async function startServer(broken = 0): Promise<AsyncDisposable & { url: string }> {
  let breaks = broken;
  const server = createServer((request, response) => {
    request.resume();
    if (breaks > 0) {
      breaks -= 1;
      response.writeHead(200, { "content-type": "text/event-stream" });
      const begun = { id: "1", model: "house-model", choices: [], usage: USAGE };
      response.write(`data: ${JSON.stringify(begun)}\n\n`, () => response.destroy());
      return;
    }
    const choice = { index: 0, delta: { content: "Done." }, finish_reason: "stop" };
    const chunk = { id: "1", model: "house-model", choices: [choice], usage: USAGE };
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function usageWith(prices: AgentEngineConfig["prices"], broken = 0): Promise<Usage> {
  using workspace = temporaryWorkspace();
  await using server = await startServer(broken);
  const turnRetry = { delay: async () => undefined };
  await using engine = await openAgentEngine({ model: MODEL, baseUrl: server.url, env: {}, prices, turnRetry });
  const report = await runSession(task("Say that you are done."), workspace.options({ engine, model: MODEL }));
  expect(report.status).toBe("completed");
  return report.usage;
}

test("a report contains the cost of the run if prices are known, and otherwise no cost", async () => {
  const priced = await usageWith({ [MODEL]: { input: 2, output: 10 } });
  expect(priced).toMatchObject({ totalTokens: 1010, costMicros: 2100 });
  expect(priced).not.toHaveProperty("isCostPartial");
  const unknown = await usageWith(undefined);
  expect(unknown.totalTokens).toBe(1010);
  expect(unknown).not.toHaveProperty("costMicros");
});

test("responses that broke off after they had reported usage are paid for as well", async () => {
  const priced = await usageWith({ [MODEL]: { input: 2, output: 10 } }, 2);
  expect(priced).toMatchObject({ inputTokens: 3000, outputTokens: 30, totalTokens: 3030, costMicros: 6300 });
  expect(priced).not.toHaveProperty("isCostPartial");
});

test("a limit on an unknown cost is reported as ineffective, once", async () => {
  const limited = async (usage: object, costMicros: number): Promise<SessionReport> => {
    using workspace = temporaryWorkspace();
    const engine = defineEngine(async (_run, host, board) => {
      for (let call = 0; call < 3; call++) {
        await host.reportUsage({ inputTokens: 1, outputTokens: 1, totalTokens: 2, ...usage });
      }
      board.set(SESSION_RESULT, { exit_code: 0, final_message: "" });
    });
    return await runSession(task("Work."), workspace.options({ engine, budget: { costMicros } }));
  };
  expect((await limited({}, 10)).warnings).toEqual([expect.stringContaining("a price that is not known")]);
  const within = await limited({ costMicros: 3 }, 10);
  expect(within).toMatchObject({ status: "completed" });
  expect(within.warnings).toBeUndefined();
  expect(await limited({ costMicros: 5 }, 10)).toMatchObject({ error: { code: "budget.exceeded" } });
});
