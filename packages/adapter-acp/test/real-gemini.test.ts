import { readdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { createAdapterRegistry } from "@switchyard/adapter-kit";
import type { AgentEvent, TurnResult } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { MODEL_URL, openRealAgent } from "@switchyard/real-agents";
import { secret } from "@switchyard/secrets";
import { describe, expect, test } from "vitest";
import { acpKinds } from "../src/index.ts";

const COMMAND = "printf 'tool ran' > made.txt && cat made.txt";
const SCRIPT = {
  tool: [
    { text: "I will run a command.", calls: [{ name: "run_shell_command", arguments: { command: COMMAND } }] },
    { text: "Done." },
  ],
  later: [{ text: "Second turn." }],
  wrong: [{ error: { status: 401, message: "invalid api key" } }],
};

// The settings of a user with an API key, without telemetry and endless retries.
const SETTINGS = JSON.stringify({
  security: { auth: { selectedType: "gemini-api-key" } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { maxAttempts: 2, enableAutoUpdate: false, enableAutoUpdateNotification: false },
});

interface Replies {
  readonly results: readonly TurnResult[];
  readonly events: readonly AgentEvent[];
}

interface PromptOptions {
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  readonly resume?: string | undefined;
}

interface RealGemini extends AsyncDisposable {
  readonly workspace: string;
  /** Sends these messages in one session. Continues an earlier session if one is given. */
  prompt(prompts: readonly string[], options?: PromptOptions): Promise<Replies>;
  /** The last message that the model received. */
  lastMessages(): string;
  /** Changes the times of the existing sessions to more than a minute ago. */
  age(): Promise<void>;
}

async function openGemini(): Promise<RealGemini | string> {
  const agent = await openRealAgent("gemini", { script: SCRIPT, files: { ".gemini/settings.json": SETTINGS } });
  if (typeof agent === "string") return agent;
  const environment = await openLocalEnvironment({ root: agent.workspace, env: { ...process.env, ...agent.env } });
  const variables = {
    ...{ HOME: secret(agent.env["HOME"] ?? ""), TMPDIR: secret(agent.env["TMPDIR"] ?? "") },
    ...{ GEMINI_API_KEY: secret("fake-gemini-key-0123456789"), GOOGLE_GEMINI_BASE_URL: secret(MODEL_URL) },
  };
  return {
    workspace: agent.workspace,
    async prompt(prompts, { config = {}, resume } = {}) {
      const command = [...agent.command, "--acp"];
      const block = { command, env: ["HOME", "TMPDIR"], model: "gemini-2.5-pro", ...config };
      const adapter = createAdapterRegistry(acpKinds).get("acp:gemini").create(block, { variables });
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
    async age() {
      const folder = join(agent.home, ".gemini", "tmp");
      for (const path of await readdir(folder, { recursive: true })) {
        const older = path.replace(/session-\d{4}-\d\d-\d\dT\d\d-\d\d-/u, "session-2020-01-01T00-00-");
        if (older !== path) await rename(join(folder, path), join(folder, older));
      }
    },
    async [Symbol.asyncDispose]() {
      await environment[Symbol.asyncDispose]();
      await agent.dispose();
    },
  };
}

describe("the real command, without a network", () => {
  test("a tool call that is permitted, and a second turn in another process [adapter-acp-1] [adapter-resume-1]", async ({
    skip,
  }) => {
    await using gemini = await opened(skip);
    const first = await gemini.prompt(["CASE:tool Do it."], { config: { allowed_kinds: ["execute"] } });
    expect(first.results[0]?.error).toBeUndefined();
    expect(first.results[0]).toMatchObject({ exitReason: "turn_completed", finalMessage: "Done." });
    expect(first.results[0]?.usage).toMatchObject({ inputTokens: 2400, outputTokens: 68 });
    expect(await readFile(join(gemini.workspace, "made.txt"), "utf8")).toBe("tool ran");
    const tools = first.events.filter(({ type }) => type === "tool_result");
    expect(tools.map(({ toolName, toolError }) => [toolName, toolError])).toEqual([["execute", false]]);
    await gemini.age();
    const resume = first.results[0]?.sessionId;
    const second = await gemini.prompt(["CASE:later Go on."], { resume });
    expect(second.results[0]).toMatchObject({
      exitReason: "turn_completed",
      finalMessage: "Second turn.",
      sessionId: resume,
    });
    expect(second.events.filter(({ type }) => type === "assistant_text")).toHaveLength(1);
    expect(gemini.lastMessages()).toContain("CASE:tool Do it.");
  });

  test("without configured permissions nothing runs, and a refused key is an error; the session continues [adapter-permissions-1]", async ({
    skip,
  }) => {
    await using gemini = await opened(skip);
    const { results, events } = await gemini.prompt(["CASE:tool Do it.", "CASE:wrong Try.", "CASE:later Go on."]);
    expect(results.map(({ exitReason }) => exitReason)).toEqual(["turn_completed", "turn_failed", "turn_completed"]);
    expect(await readdir(gemini.workspace)).not.toContain("made.txt");
    expect(events.find(({ type }) => type === "tool_result")?.toolError).toBe(true);
    expect(results[1]?.error).toMatchObject({ code: "adapter.response_error" });
    expect(results[1]?.error?.message).toContain("invalid api key");
  });

  test("an unknown session is reported as session_not_found, with the text of the command [adapter-resume-1]", async ({
    skip,
  }) => {
    await using gemini = await opened(skip);
    const { results } = await gemini.prompt(["CASE:later Go on."], { resume: "3cb916db-26aa-40f2-86b5-1ba81b225fd2" });
    expect(results[0]?.error).toMatchObject({ code: "adapter.session_not_found" });
    expect(results[0]?.error?.message).toContain("sessions");
  });
});

async function opened(skip: (condition: boolean, reason?: string) => void): Promise<RealGemini> {
  const gemini = await openGemini();
  const reason = typeof gemini === "string" ? gemini : undefined;
  skip(reason !== undefined, reason);
  if (typeof gemini === "string") throw new Error(gemini);
  return gemini;
}
