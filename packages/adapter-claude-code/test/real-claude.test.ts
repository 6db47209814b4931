import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentEvent, TurnResult } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { MODEL_URL, openRealAgent } from "@switchyard/real-agents";
import { secret } from "@switchyard/secrets";
import { describe, expect, test } from "vitest";
import { claudeCode } from "../src/index.ts";

const SCRIPT = {
  tool: [
    {
      text: "I will run a command.",
      calls: [
        { name: "Bash", arguments: { command: "echo 'tool ran' > made.txt && cat made.txt", description: "run" } },
      ],
      usage: { input: 1200, output: 34 },
    },
    { text: "Done.", usage: { input: 1300, output: 5 } },
  ],
  later: [{ text: "Second turn.", usage: { input: 1400, output: 6 } }],
  wrong: [{ error: { status: 401, message: "invalid x-api-key" } }],
};

/** Variables of the command: the address of the model, and none that would cause network access. */
const VARIABLES: Readonly<Record<string, string>> = {
  ANTHROPIC_BASE_URL: MODEL_URL,
  ANTHROPIC_API_KEY: "sk-ant-nobodys-key",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  CLAUDE_CODE_MAX_RETRIES: "1",
};

interface RealClaude extends AsyncDisposable {
  readonly workspace: string;
  /** Runs one turn. With an id, in that session and in a new process. */
  prompt(prompt: string, options?: { readonly allow?: string; readonly resume?: string | undefined }): Promise<Reply>;
  requests(): readonly { readonly messages: readonly { readonly text: string }[] }[];
}

interface Reply {
  readonly result: TurnResult;
  readonly events: readonly AgentEvent[];
}

async function openClaude(skip: (condition: boolean, reason?: string) => void): Promise<RealClaude> {
  const agent = await openRealAgent("claude-code", { script: SCRIPT });
  skip(typeof agent === "string", typeof agent === "string" ? agent : undefined);
  if (typeof agent === "string") throw new Error(agent);
  const environment = await openLocalEnvironment({ root: agent.workspace, env: { ...process.env, ...agent.env } });
  const variables = Object.fromEntries(Object.entries(VARIABLES).map(([name, value]) => [name, secret(value)]));
  return {
    ...{ workspace: agent.workspace, requests: agent.requests },
    async prompt(prompt, { allow, resume } = {}) {
      const tools = allow === undefined ? {} : { allowed_tools: [allow] };
      const config = {
        command: [...agent.command],
        env: Object.keys(VARIABLES),
        startup_timeout_ms: 120_000,
        ...tools,
      };
      const adapter = claudeCode.create(config, { variables });
      const session = await adapter.startSession({
        environment,
        workspacePath: agent.workspace,
        resumeSessionId: resume,
      });
      const events: AgentEvent[] = [];
      try {
        return { result: await adapter.runTurn(session, { prompt, onEvent: (event) => events.push(event) }), events };
      } finally {
        await adapter.stopSession(session);
      }
    },
    async [Symbol.asyncDispose]() {
      await environment[Symbol.asyncDispose]();
      await agent.dispose();
    },
  };
}

describe("the real command, without a network", { timeout: 300_000 }, () => {
  test("a tool call, and a second turn of the same session in a new process [adapter-claude-code-1] [adapter-resume-1]", async ({
    skip,
  }) => {
    await using claude = await openClaude(skip);
    const first = await claude.prompt("CASE:tool Do it.", { allow: "Bash" });
    expect(first.result).toMatchObject({ exitReason: "turn_completed", finalMessage: "Done." });
    expect(first.result.usage).toMatchObject({ inputTokens: 2500, outputTokens: 39 });
    expect(await readFile(join(claude.workspace, "made.txt"), "utf8")).toBe("tool ran\n");
    const second = await claude.prompt("CASE:later Go on.", { resume: first.result.sessionId });
    expect(second.result).toMatchObject({ exitReason: "turn_completed", finalMessage: "Second turn." });
    expect(second.result.sessionId).toBe(first.result.sessionId);
    const texts = claude
      .requests()
      .at(-1)
      ?.messages.map(({ text }) => text)
      .join("\n");
    expect(texts).toContain("CASE:tool Do it.");
    expect(JSON.stringify([first, second])).not.toContain("nobodys-key");
  });

  test("without settings nothing is permitted; a refused key fails the turn", async ({ skip }) => {
    await using claude = await openClaude(skip);
    const refused = await claude.prompt("CASE:tool Do it.");
    expect(refused.result.exitReason).toBe("turn_completed");
    expect(existsSync(join(claude.workspace, "made.txt"))).toBe(false);
    const wrong = await claude.prompt("CASE:wrong Do it.");
    expect(wrong.result).toMatchObject({ exitReason: "turn_failed" });
    expect(JSON.stringify(wrong)).not.toContain("nobodys-key");
  });
});
