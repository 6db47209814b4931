import { createServer } from "node:http";
import { afterEach, expect, test } from "vitest";
import { makeFolder, switchyard } from "./start-switchyard.ts";

const KEY = "sk-test-0123456789abcdefghij";
const servers: { stop(): void }[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.stop();
});

/** Starts a provider that sends the same response to every request, and records the requests. */
async function startProvider(body: unknown, status = 200): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(
      `${request.method} ${request.url} ${request.headers.authorization ?? request.headers["x-api-key"] ?? ""}`,
    );
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push({ stop: () => server.close(() => undefined).closeAllConnections() });
  const { port } = Object(server.address());
  return { url: `http://127.0.0.1:${port}/v1`, asked };
}

test("models lists known models with limits, prices and their day, and one default per provider", async () => {
  const { exitCode, stdout, stderr } = await switchyard(["models"]);
  expect([exitCode, stderr]).toEqual([0, ""]);
  const lines = stdout.split("\n");
  const defaults = lines.filter((line) => line.startsWith("* ")).map((line) => line.slice(2).split("/")[0]);
  expect(defaults.sort()).toEqual(["anthropic", "gemini", "openai"]);
  expect(lines.find((line) => line.includes("anthropic/claude-sonnet-5-5"))).toMatch(
    /context 1,000,000 +output 128,000 +\$2 in, \$0\.1 cached, \$10 out \(2026-\d\d-\d\d\)$/,
  );
});

test("models of one provider as JSON have the source of their price", async () => {
  const { stdout, exitCode } = await switchyard(["models", "openai", "--json"]);
  const { models, problems } = JSON.parse(stdout);
  expect([exitCode, problems]).toEqual([0, []]);
  expect(new Set(Array.from(models, (model) => Object(model).provider))).toEqual(new Set(["openai"]));
  expect(models).toContainEqual(
    expect.objectContaining({
      model: "openai/gpt-6.2-sol",
      is_default: true,
      is_known: true,
      prices: expect.objectContaining({ input: 2, source: expect.stringContaining("https://"), as_of: "2026-11-22" }),
    }),
  );
  expect(Object(models[0])).not.toHaveProperty("is_offered");
});

test("with a key the provider is asked, and its models are distinguished from the known ones", async () => {
  const { url, asked } = await startProvider({ data: [{ id: "gpt-6.2-sol" }, { id: "gpt-7-new" }] });
  const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: url };
  const { stdout, exitCode } = await switchyard(["models", "openai"], { env });
  expect([exitCode, asked]).toEqual([0, [`GET /v1/models Bearer ${KEY}`]]);
  expect(stdout).toMatch(/openai\/gpt-6\.2-sol .* available$/m);
  expect(stdout).toMatch(/openai\/gpt-5\.2 .* not available$/m);
  expect(stdout).toMatch(/openai\/gpt-7-new .*price unknown +available, not in the catalog$/m);
  const silent = await switchyard(["models", "openai", "--no-offers"], { env });
  expect(silent.stdout).not.toContain("available");
  expect(asked).toHaveLength(1);
});

test("a custom server is asked at its address, without a key", async () => {
  const { url } = await startProvider({ data: [{ id: "qwen3", max_model_len: 32_768 }] });
  const { stdout, exitCode } = await switchyard(["models", "openai-compatible", "--base-url", url, "--json"]);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).models).toEqual([
    {
      ...{ provider: "openai-compatible", model: "openai-compatible/qwen3", context_window: 32_768 },
      ...{ is_default: false, is_known: false, is_offered: true },
    },
  ]);
});

test("a provider that cannot be asked is reported without its key, next to the known models", async () => {
  const { url } = await startProvider({ error: { message: `no such key: ${KEY}` } }, 401);
  const env = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url };
  const named = await switchyard(["models", "anthropic"], { env });
  expect(named.exitCode).toBe(3);
  expect(named.stdout).toContain("anthropic/claude-sonnet-5-5");
  expect(named.stderr).toContain("ANTHROPIC_API_KEY");
  expect(named.stdout + named.stderr).not.toContain(KEY);
  const all = await switchyard(["models", "--json"], { env });
  expect([all.exitCode, JSON.parse(all.stdout).problems]).toMatchObject([0, [{ code: "llm.authentication" }]]);
});

test("a key for any provider is sent only to the named provider", async () => {
  const { url, asked } = await startProvider({ data: [] });
  const env = { SWITCHYARD_API_KEY: KEY, OPENAI_BASE_URL: url, ANTHROPIC_BASE_URL: url, GEMINI_BASE_URL: url };
  await switchyard(["models"], { env, cwd: await makeFolder() });
  expect(asked).toEqual([]);
  await switchyard(["models", "openai"], { env });
  expect(asked).toHaveLength(1);
});

test("an unknown provider is refused, and so is an address without one", async () => {
  expect(await switchyard(["models", "nobody"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("anthropic"),
  });
  expect((await switchyard(["models", "--base-url", "http://127.0.0.1:1/v1"])).exitCode).toBe(2);
});
