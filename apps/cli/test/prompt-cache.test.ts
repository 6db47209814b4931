import { writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { execa } from "execa";
import { afterEach, expect, test } from "vitest";
import { startLoopbackModel } from "./loopback-model.ts";
import { type MockAnswer, startMockModel, type WireFormat } from "./mock-model.ts";
import { makeFolder, startSwitchyard, switchyard } from "./start-switchyard.ts";

const FORMATS: readonly WireFormat[] = ["anthropic", "openai", "openai-compatible", "gemini"];
const KEYS = {
  ANTHROPIC_API_KEY: "test-key-that-is-not-real",
  OPENAI_API_KEY: "test-key-that-is-not-real",
  GEMINI_API_KEY: "test-key-that-is-not-real",
};

/** Converts a request to JSON without Anthropic's `cache_control`, which moves with the conversation. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (key, entry: unknown) => (key === "cache_control" ? undefined : entry));
}

/** Converts messages to one text per block, because Anthropic and Gemini merge consecutive messages of a role. */
function blocks(messages: unknown, field: string): string[] {
  const list: unknown[] = Array.isArray(messages) ? messages : [];
  return list.flatMap((message) => {
    const { [field]: content, ...rest } = Object(message);
    const inner: unknown[] = Array.isArray(content) ? content : [content];
    return inner.map((block) => textOf([rest, block]));
  });
}

/** Returns the parts that a provider's prompt cache compares, in order: tools, instructions, conversation. */
function promptOf(format: WireFormat, request: unknown): string[] {
  const body = Object(request);
  switch (format) {
    case "anthropic":
      return [textOf(body.tools), textOf(body.system), ...blocks(body.messages, "content")];
    case "openai":
      return [textOf(body.tools), textOf(body.instructions ?? null), ...blocks(body.input, "content")];
    case "openai-compatible":
      return [textOf(body.tools), ...blocks(body.messages, "content")];
    case "gemini":
      return [textOf(body.tools), textOf(body.systemInstruction), ...blocks(body.contents, "parts")];
  }
}

/** Returns the number of bytes of the earlier request, from the first part that is different in the later one. */
function changedBytes(earlier: readonly string[], later: readonly string[]): number {
  const first = earlier.findIndex((part, index) => later[index] !== part);
  return first === -1 ? 0 : Buffer.byteLength(earlier.slice(first).join(""));
}

async function makeRepository(): Promise<string> {
  const cwd = await makeFolder({ "a.txt": "one\n", "AGENTS.md": "Be brief.\n" });
  await execa("git", ["init", "--quiet"], { cwd });
  await execa("git", ["add", "."], { cwd });
  await execa("git", ["-c", "user.name=T", "-c", "user.email=t@e.org", "commit", "-qm", "First"], { cwd });
  return cwd;
}

const proxies: Server[] = [];

afterEach(() => {
  for (const proxy of proxies.splice(0)) {
    proxy.closeAllConnections();
    proxy.close();
  }
});

/** Starts a proxy that forwards requests to a model server and stores their bodies. */
async function startProxy(target: string): Promise<{ baseUrl: string; bodies: unknown[] }> {
  const bodies: unknown[] = [];
  const { origin, pathname } = new URL(target);
  const proxy = createServer((request, response) => {
    void text(request).then(async (body) => {
      bodies.push(JSON.parse(body));
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`${origin}${request.url}`, { method: "POST", headers, body });
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
      response.end(await answer.text());
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  proxies.push(proxy);
  return { baseUrl: `http://127.0.0.1:${Object(proxy.address()).port}${pathname}`, bodies };
}

async function openPlace(format: WireFormat, answers: readonly MockAnswer[]) {
  const [cwd, home] = [await makeRepository(), await makeFolder()];
  const { baseUrl: target } = await startMockModel(format, answers);
  const { baseUrl, bodies } = await startProxy(target);
  const env = { ...KEYS, HOME: home, ...(format === "openai-compatible" ? { OPENAI_COMPATIBLE_API_KEY: "k" } : {}) };
  return {
    cwd,
    env,
    model: ["--model", `${format}/m`, "--base-url", baseUrl],
    enter: (words: readonly string[]) => switchyard(words, { cwd, env }),
    prompts: () => bodies.map((body) => promptOf(format, body)),
  };
}

const WRITE: MockAnswer = { name: "write_file", arguments: { file_path: "a.txt", content: "two\n" } };
const READ: MockAnswer = { name: "read_file", arguments: { file_path: "a.txt" } };
/** Compares each request with the previous one. */
const changes = (prompts: readonly string[][]): number[] =>
  prompts.slice(1).map((prompt, index) => changedBytes(prompts[index] ?? [], prompt));

test.each(FORMATS)(
  "%s: no byte of a request changes in the next one, within a run and over --continue, although the files change",
  async (format) => {
    // Uses the tool names of the specification, which are the same for all providers.
    const { cwd, model, enter, prompts } = await openPlace(format, [READ, "One.", WRITE, "Two.", READ, "Still two."]);
    const run = ["run", "--tool-names", "specification", ...model];
    expect((await enter([...run, "What does a.txt say?"])).exitCode).toBe(0);
    await writeFile(join(cwd, "new.txt"), "new\n");
    expect((await enter([...run, "--continue", "Change it."])).exitCode).toBe(0);
    expect((await enter([...run, "--continue", "And now?"])).exitCode).toBe(0);
    expect(prompts()).toHaveLength(6);
    expect(changes(prompts())).toEqual([0, 0, 0, 0, 0]);
    const appended = prompts()[2]?.slice(prompts()[1]?.length).join("") ?? "";
    expect(appended).toContain("Untracked files: 1");
    expect(appended).toContain("Change it.");
    // The workspace context is sent once in a run. The next run has different files, so it is sent again.
    expect(
      prompts()[5]
        ?.join("")
        .match(/Untracked files: 1/g),
    ).toHaveLength(2);
  },
);

test.each(FORMATS)("%s: no byte of a request changes after resume", async (format) => {
  const SLEEP: MockAnswer = {
    name: "shell",
    arguments: { command: "echo begun > new.txt; sleep 600", timeout_ms: 600_000 },
  };
  const { cwd, env, model, enter, prompts } = await openPlace(format, [READ, SLEEP, "Done."]);
  const words = ["run", "--events", "jsonl", "--tool-names", "specification", ...model, "Work."];
  const { command } = await startSwitchyard(words, { cwd, env });
  let seen = "";
  command.stdout?.on("data", (chunk) => {
    const before = seen.includes('"name":"shell"');
    seen += String(chunk);
    if (!before && seen.includes('"name":"shell"')) command.kill("SIGINT");
  });
  expect((await command).exitCode).toBe(130);
  const runId = /"run_id":"(\w+)"/.exec(seen)?.[1] ?? /"exec_id":"(\w+)"/.exec(seen)?.[1] ?? "";
  const resumed = await enter(["resume", ...(runId === "" ? [] : [runId]), ...model.slice(2)]);
  expect(resumed.exitCode, resumed.stderr).toBe(0);
  expect(changes(prompts())).toEqual([0, 0]);
});

test("--continue with other instructions in the repository sends the new ones, and the conversation unchanged", async () => {
  const { cwd, model, enter, prompts } = await openPlace("anthropic", ["One.", "Two."]);
  await enter(["run", ...model, "First?"]);
  await writeFile(join(cwd, "AGENTS.md"), "Be long.\n");
  await enter(["run", ...model, "--continue", "Second?"]);
  const [first = [], second = []] = prompts();
  expect(second[1]).toContain("Be long.");
  expect(second.slice(2, first.length)).toEqual(first.slice(2));
});

test("tokens from the provider's cache are in the report and in the output for people", async () => {
  const { baseUrl } = await startLoopbackModel((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const usage = { prompt_tokens: 1_000, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 900 } };
    const chunks = [
      { id: "1", choices: [{ index: 0, delta: { content: "Done." }, finish_reason: "stop" }] },
      { id: "1", choices: [], usage },
    ];
    response.end(`${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`);
  });
  const words = ["run", "--model", "openai-compatible/m", "--base-url", baseUrl, "--state", await makeFolder()];
  const told = await switchyard([...words, "Work."], { cwd: await makeFolder() });
  expect(told.stdout + told.stderr).toContain("1,000 tokens in (900 cached), 5 out");
  const events = await switchyard([...words, "--events", "jsonl", "Work."], { cwd: await makeFolder() });
  expect(JSON.parse(events.stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({
    report: { usage: { inputTokens: 1_000, cacheReadTokens: 900 } },
  });
});
