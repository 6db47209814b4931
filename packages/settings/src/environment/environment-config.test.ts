import { expect, test } from "vitest";
import { environmentConfigOf, environmentProblem } from "./environment-config.ts";

const HOST = { env: { HOME: "/home/a" }, stateDirectory: "/state" };

test("a choice becomes the configuration of its environment", () => {
  const of = (choice: Parameters<typeof environmentConfigOf>[0]) => environmentConfigOf(choice, "/work", HOST);
  expect(of({})).toEqual({ type: "local", root: "/work", env: HOST.env });
  expect(of({ env: "sandbox", envNetwork: "allow" })).toMatchObject({ network: "allow", stateDirectory: "/state" });
  expect(of({ env: "sandbox", envNetwork: "list:registries" })).toMatchObject({ network: "list:registries" });
  expect(of({ env: "docker:node:22", envNetwork: "list:a.example" })).toMatchObject({ network: "list:a.example" });
  expect(of({ env: "docker:node:22", envNetwork: "allow", envMemory: "1g" })).toMatchObject({
    ...{ type: "docker", image: "node:22", network: "bridge", memory: "1g", workspace: "/work" },
  });
  expect(of({ env: "k8s:node:22", envMemory: "512m" })).toMatchObject({ type: "kubernetes", memory: "512Mi" });
  expect(of({ env: "ssh:ada@host:2222/srv" })).toMatchObject({ host: "host", port: 2222, workingDirectory: "/srv" });
});

test.each([
  [{ env: "moon" }, { kind: "name" }],
  [
    { env: "memory", envNetwork: "none" },
    { kind: "setting", setting: "env_network" },
  ],
  [
    { env: "sandbox", envNetwork: "mine" },
    { kind: "network", allowed: ["none", "allow", "list:HOST,…"] },
  ],
  [
    { env: "sandbox", envNetwork: "list:127.0.0.1" },
    { kind: "list", problem: "`127.0.0.1` cannot be allowed: the host is an IP address, not a name" },
  ],
  [{ env: "docker:node:22", envNetwork: "list:" }, { kind: "list" }],
  [
    { env: "docker:@web", envMemory: "1g" },
    { kind: "setting", setting: "env_memory" },
  ],
  [
    { env: "local", envUser: "caller" },
    { kind: "setting", setting: "env_user" },
  ],
])("%j cannot be used", (choice, problem) => {
  expect(environmentProblem(choice)).toMatchObject(problem);
  expect(() => environmentConfigOf(choice, "/work", HOST)).toThrow(expect.objectContaining({ code: "config.invalid" }));
});

test("a workspace on this machine is a problem only in environments with separate folders", () => {
  const given = { isWorkspaceGiven: true };
  expect(environmentProblem({ env: "docker:@web" }, given)).toEqual({ kind: "workspace", example: ":/srv/project" });
  expect(environmentProblem({ env: "docker:node:22" }, given)).toBeUndefined();
});
