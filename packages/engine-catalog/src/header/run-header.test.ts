import { expect, test } from "vitest";
import { type AnnouncedRun, runHeaderOf } from "./run-header.ts";

const HOST = {
  env: { ANTHROPIC_API_KEY: "k", SWITCHYARD_MODEL: "openai/gpt-6.2-sol" },
  ...{ homeDirectory: "/home/ada", workingDirectory: "/", now: () => Date.parse("2026-11-25T00:00:00Z") },
};

function announced(changes: Partial<AnnouncedRun> = {}): AnnouncedRun {
  return {
    runId: "r1",
    opened: { engine: "agent", engineName: "agent", model: "anthropic/claude-sonnet-5-5" },
    options: { engine: "agent" },
    approvalChoice: {},
    environment: { type: "local", root: "/home/ada/project" },
    workspace: "/home/ada/project",
    ...changes,
  };
}

test("a default model is shown with its price, the key that it was chosen for and the option that changes it", async () => {
  expect(await runHeaderOf(HOST, announced())).toMatchObject({
    model: "anthropic/claude-sonnet-5-5",
    prices: { input: 2, output: 10 },
    modelReason: "default for ANTHROPIC_API_KEY; --model changes it",
    ...{ engine: "agent", environment: "local", folder: "~/project", runId: "r1" },
    network: "commands can use the network",
    permissions: ["never asks", "--mode ask asks before changes"],
  });
});

test("a model that the user named needs no reason; one of a variable names the variable", async () => {
  const model = "openai/gpt-6.2-sol";
  const typed = await runHeaderOf(HOST, announced({ options: { engine: "agent", model }, inputModel: model }));
  expect(typed).toMatchObject({ model, modelReason: undefined });
  expect(await runHeaderOf(HOST, announced({ inputModel: model }))).toMatchObject({
    modelReason: "from SWITCHYARD_MODEL",
  });
  expect(await runHeaderOf(HOST, announced({ inputModel: "openai-compatible/x" }))).toMatchObject({
    ...{ prices: undefined, modelReason: undefined },
  });
});

test.each([
  [{ approve: "on-writes" as const }, ["asks before changes"]],
  [{ approve: "plan" as const }, ["reads only"]],
  [{ approve: "never" as const, deny: ["path:**/.env"] }, ["never asks", "1 deny rule"]],
  [{ allow: ["shell(npm test)", "web_fetch"] }, ["asks before changes", "2 allow rules"]],
])("permissions %j are described in words", async (approvalChoice, shown) => {
  expect((await runHeaderOf(HOST, announced({ approvalChoice }))).permissions).toEqual(shown);
});

test("a third-party agent without a mode uses the permissions that it is configured with", async () => {
  const opened = { engine: "codex", engineName: "codex" };
  const header = await runHeaderOf(HOST, announced({ opened, options: { engine: "codex" } }));
  expect(header).toMatchObject({ model: undefined, modelReason: undefined, engine: "codex" });
  expect(header.permissions).toEqual(["as the engine is configured", "--mode plan reads only"]);
});

test.each([
  [{ type: "sandbox", root: "/p", network: "none" }, "commands have no network", "/p"],
  [
    { type: "sandbox", root: "/p", network: "list:registries,a.example" },
    "commands reach only registries, a.example",
    "/p",
  ],
  [{ type: "docker", image: "node:22", workspace: "/p" }, "commands have no network", "/p"],
  [{ type: "docker", image: "node:22", workspace: "/p", network: "bridge" }, "commands can use the network", "/p"],
  [{ type: "docker", container: "c", workingDirectory: "/srv" }, "network of the container", "/srv"],
  [{ type: "ssh", host: "h", workingDirectory: "/srv" }, "network of the host", "/srv"],
  [{ type: "memory", workspace: "/p" }, "commands have no network", "a copy of /p"],
] as const)("the environment %j shows its network and folder", async (environment, network, folder) => {
  expect(await runHeaderOf(HOST, announced({ environment, workspace: "/p" }))).toMatchObject({ network, folder });
});
