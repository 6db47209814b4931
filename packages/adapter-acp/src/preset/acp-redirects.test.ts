import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAdapterRegistry } from "@switchyard/adapter-kit";
import { openLocalEnvironment, openSandboxedEnvironment, sandboxReadiness } from "@switchyard/environment/local";
import { secret } from "@switchyard/secrets";
import { expect, onTestFinished, test } from "vitest";
import { acpKinds } from "../index.ts";

const kindOf = (name: string) => createAdapterRegistry(acpKinds).get(name);
const routeOf = (name: string, block: object = {}, variables: Readonly<Record<string, string>> = {}) =>
  kindOf(name).modelRoute?.(
    block,
    Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, secret(value)])),
  );

test("each agent reports its provider and wire format, or why its model calls cannot be redirected", () => {
  const command = "my-agent";
  expect(routeOf("acp:gemini")).toEqual({ provider: "gemini", apis: ["gemini"] });
  expect(routeOf("acp", { command, model_api: "openai-chat" })).toEqual({ provider: "openai", apis: ["openai-chat"] });
  expect(routeOf("acp", { command })?.directReason).toBe("its setting model_api is not set");
  expect(() => routeOf("acp", { command, model_api: "soap" })).toThrow(/model_api/u);
  expect(routeOf("acp:opencode", { model: "google/gemini-2.5-pro" })).toEqual({ provider: "gemini", apis: ["gemini"] });
  expect(routeOf("acp:opencode", { model: "mine/m" })?.directReason).toContain("anthropic, openai, google");
  expect(routeOf("acp:kiro")?.directReason).toContain("its own service");
  expect(routeOf("acp:codex-acp")?.directReason).toContain("codex-acp");
});

test("Copilot CLI is redirected if its variables name a known provider, whose type they match", () => {
  const route = (COPILOT_PROVIDER_BASE_URL: string, COPILOT_PROVIDER_TYPE = "openai") =>
    routeOf("acp:copilot", {}, { COPILOT_PROVIDER_BASE_URL, COPILOT_PROVIDER_TYPE });
  expect(route("https://api.openai.com/v1")).toEqual({ provider: "openai", apis: ["openai-chat"] });
  expect(route("https://api.anthropic.com", "anthropic")).toEqual({
    provider: "anthropic",
    apis: ["anthropic-messages"],
  });
  expect(route("https://api.anthropic.com")?.directReason).toContain("COPILOT_PROVIDER_TYPE");
  expect(route("https://models.example.com")?.directReason).toContain("api.openai.com");
  expect(routeOf("acp:copilot")?.directReason).toContain("the models of GitHub");
});

test("Gemini CLI is not redirected if the user's settings select a login that ignores the address", async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "switchyard-gemini-")));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, ".gemini"));
  await using environment = await openLocalEnvironment({ root: folder, env: process.env });
  const kind = kindOf("acp:gemini");
  const adapter = kind.create({ command: "sh", env: ["HOME"] }, { variables: { HOME: secret(folder) } });
  const startWith = async (settings: string): Promise<unknown> => {
    await writeFile(join(folder, ".gemini/settings.json"), settings);
    const modelAccess = { baseUrl: "http://127.0.0.1:4242", token: secret("run-token-0123456789") };
    return await adapter.startSession({ environment, workspacePath: folder, modelAccess }).then(() => "started");
  };
  const rejected = { code: "config.invalid", message: expect.stringContaining("oauth-personal") };
  const select = (login: string): string => JSON.stringify({ security: { auth: { selectedType: login } } });
  await expect(startWith(select("oauth-personal"))).rejects.toMatchObject(rejected);
  await expect(startWith(`// Mine.\n${select("oauth-personal")}`)).rejects.toMatchObject(rejected);
  expect(await startWith(select("gemini-api-key"))).toBe("started");
  expect(await startWith("{}")).toBe("started");
});

test("in a sandbox, the settings of Gemini CLI are those in the folder of its state", async ({ skip }) => {
  const { missing } = await sandboxReadiness({ ...process.env });
  skip(missing.length > 0, missing.map(({ problem }) => problem).join("; "));
  const root = await realpath(await mkdtemp(join(tmpdir(), "switchyard-gemini-")));
  onTestFinished(() => rm(root, { recursive: true }));
  await mkdir(join(root, ".gemini"));
  const ignored = { security: { auth: { selectedType: "oauth-personal" } } };
  await writeFile(join(root, ".gemini/settings.json"), JSON.stringify(ignored));
  await using environment = await openSandboxedEnvironment({ root, env: process.env });
  const variables = { HOME: secret(root) };
  const adapter = kindOf("acp:gemini").create({ command: "sh", env: ["HOME"] }, { variables });
  const modelAccess = { baseUrl: "http://127.0.0.1:4242", token: secret("run-token-0123456789") };
  await expect(adapter.startSession({ environment, workspacePath: root, modelAccess })).resolves.toBeDefined();
});
