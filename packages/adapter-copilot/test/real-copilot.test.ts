import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentEvent, TurnResult } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { MODEL_URL, openRealAgent } from "@switchyard/real-agents";
import { secret } from "@switchyard/secrets";
import { describe, expect, test } from "vitest";
import { copilot } from "../src/index.ts";

const COMMAND = "printf 'tool ran' > made.txt && cat made.txt";
const SCRIPT = {
  tool: [
    { text: "I will run a command.", calls: [{ name: "bash", arguments: { command: COMMAND, description: "run" } }] },
    { text: "Done." },
  ],
  later: [{ text: "Second turn." }],
  wrong: [{ error: { status: 401, message: "invalid api key" } }],
};

interface Replies {
  readonly results: readonly TurnResult[];
  readonly events: readonly AgentEvent[];
}

interface RealCopilot extends AsyncDisposable {
  readonly workspace: string;
  /** Sends these messages in one session. Continues an earlier session if one is given. */
  prompt(prompts: readonly string[], options?: PromptOptions): Promise<Replies>;
  /** The last message that the model received. */
  lastMessages(): string;
}

interface PromptOptions {
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  readonly resume?: string | undefined;
}

async function openCopilot(): Promise<RealCopilot | string> {
  const agent = await openRealAgent("copilot", { script: SCRIPT });
  if (typeof agent === "string") return agent;
  const environment = await openLocalEnvironment({ root: agent.workspace, env: { ...process.env, ...agent.env } });
  const values = {
    ...{ HOME: agent.env["HOME"] ?? "", TMPDIR: agent.env["TMPDIR"] ?? "", COPILOT_HOME: join(agent.home, "copilot") },
    ...{ COPILOT_PROVIDER_BASE_URL: `${MODEL_URL}/v1`, COPILOT_PROVIDER_API_KEY: "fake-copilot-key-0123456789" },
    ...{ COPILOT_MODEL: "mock-model", COPILOT_OFFLINE: "true" },
  };
  const variables = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, secret(value)]));
  return {
    workspace: agent.workspace,
    async prompt(prompts, { config = {}, resume } = {}) {
      const block = { command: [...agent.command], env: ["HOME", "TMPDIR"], ...config };
      const adapter = copilot.create(block, { variables });
      const session = await adapter.startSession({
        ...{ environment, workspacePath: environment.workingDirectory, resumeSessionId: resume },
      });
      const [results, events]: [TurnResult[], AgentEvent[]] = [[], []];
      for (const prompt of prompts) {
        results.push(await adapter.runTurn(session, { prompt, onEvent: (event) => events.push(event) }));
      }
      await adapter.stopSession(session);
      return { results, events };
    },
    lastMessages: () => JSON.stringify(agent.requests().at(-1)?.messages ?? []),
    async [Symbol.asyncDispose]() {
      await environment[Symbol.asyncDispose]();
      await agent.dispose();
    },
  };
}

describe("the real command, without a network", () => {
  test("a permitted tool call, and a second turn in a continued session [adapter-copilot-1] [adapter-resume-1]", async ({
    skip,
  }) => {
    await using real = await opened(skip);
    // A command that writes a file needs both.
    const first = await real.prompt(["CASE:tool Do it."], { config: { allowed_tools: ["shell", "write"] } });
    expect(first.results[0]?.error).toBeUndefined();
    expect(first.results[0]).toMatchObject({ exitReason: "turn_completed", finalMessage: "Done." });
    expect(first.results[0]?.usage).toMatchObject({ inputTokens: 2400, outputTokens: 68 });
    expect(await readFile(join(real.workspace, "made.txt"), "utf8")).toBe("tool ran");
    const resume = first.results[0]?.sessionId;
    const second = await real.prompt(["-x CASE:later Go on."], { resume });
    expect(second.results[0]).toMatchObject({ exitReason: "turn_completed", finalMessage: "Second turn." });
    expect(second.results[0]).toMatchObject({ sessionId: resume, usage: { inputTokens: 1200, outputTokens: 34 } });
    expect(real.lastMessages()).toContain("CASE:tool Do it.");
  });

  test("without configured permissions nothing runs, and a refused key is an error [adapter-permissions-1] [adapter-capabilities-3]", async ({
    skip,
  }) => {
    await using real = await opened(skip);
    const { results, events } = await real.prompt(["CASE:tool Do it.", "CASE:wrong Try."]);
    expect(results.map(({ exitReason }) => exitReason)).toEqual(["turn_completed", "turn_failed"]);
    expect(await readdir(real.workspace)).not.toContain("made.txt");
    expect(events.find(({ type }) => type === "tool_result")).toMatchObject({ toolName: "bash", toolError: true });
    expect(results[1]?.error).toMatchObject({ code: "adapter.response_error" });
  });

  test("an unknown session is reported as session_not_found, with the text of the command", async ({ skip }) => {
    await using real = await opened(skip);
    const { results } = await real.prompt(["CASE:later Go on."], { resume: "3cb916db-26aa-40f2-86b5-1ba81b225fd2" });
    expect(results[0]?.error).toMatchObject({ code: "adapter.session_not_found" });
    expect(results[0]?.error?.message).toContain("No session");
  });
});

async function opened(skip: (condition: boolean, reason?: string) => void): Promise<RealCopilot> {
  const real = await openCopilot();
  const reason = typeof real === "string" ? real : undefined;
  skip(reason !== undefined, reason);
  if (typeof real === "string") throw new Error(real);
  return real;
}
