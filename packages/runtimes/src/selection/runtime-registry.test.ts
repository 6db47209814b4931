import { expect, test } from "vitest";
import {
  createRuntimeRegistry,
  type ExecutorProvider,
  expandCapabilities,
  mapRuntimeExecution,
  type RuntimePackage,
  type RuntimeRegistry,
} from "../index.ts";

function packageOf(id: string, ...providers: Partial<ExecutorProvider>[]): RuntimePackage {
  const agent_task_executors = providers.map((provider, index) => ({
    ...{ id: `${id}.${index}`, backend: id, command: "acme" },
    ...provider,
  }));
  const manifest = { schema: "homeboy/agent-runtime-manifest/v1", id, agent_task_executors };
  return { id, folder: `/somewhere/${id}`, origin: "project", manifest, document: manifest, warnings: [] };
}

const REGISTRY: RuntimeRegistry = createRuntimeRegistry([
  packageOf("wp-codebox", { capabilities: ["browser_runtime", "patch_artifacts"] }),
  packageOf("acme", { backend: "cli", status: "experimental" }, { backend: "cli", capabilities: ["patch_artifacts"] }),
  packageOf("off", { status: "disabled" }),
]);

test("a provider is chosen by runtime, id, backend, capabilities and status [runtime-selection-1, runtime-capabilities-1, runtime-capabilities-2]", () => {
  const idOf = (selection: Parameters<RuntimeRegistry["select"]>[0]) => REGISTRY.select(selection).provider.id;
  expect(idOf({ backend: "wp-codebox" })).toBe("wp-codebox.0");
  expect(idOf({ backend: "cli", provider: "acme.0" })).toBe("acme.0");
  expect(idOf({ backend: "cli", runtime: "acme", capabilities: ["patch_artifacts"] })).toBe("acme.1");
  expect(idOf({ backend: "cli", statuses: ["experimental"] })).toBe("acme.0");
  expect(() => idOf({ backend: "wp-codebox", runtime: "acme" })).toThrow(/runtime acme/u);
  expect(() => idOf({ backend: "off" })).toThrow(/no runtime with backend off/u);
});

test("a backend must be named; there is no default [runtime-selection-2, runtime-selection-8]", () => {
  expect(() => REGISTRY.select({ backend: " ", runtime: "wp-codebox" })).toThrow(/executor\.backend is required/u);
});

test("an unknown runtime is rejected with a list of the known ones [runtime-selection-3]", () => {
  expect(() => REGISTRY.resolve("nothing")).toThrow("Known runtimes: acme, off, wp-codebox");
});

test("a selection without a match reports the requested criteria [runtime-selection-4]", () => {
  const criteria = { backend: "cli", runtime: "acme", capabilities: ["browser_runtime"] };
  expect(() => REGISTRY.select(criteria)).toThrow(/backend cli, runtime acme.*browser_runtime/u);
  expect(() => REGISTRY.select({ backend: "none" })).toThrow(/backend none/u);
});

test("several matches are ambiguous, and listed [runtime-selection-5]", () => {
  expect(() => REGISTRY.select({ backend: "cli" })).toThrow(/acme\.0, acme\.1/u);
});

test("a deprecated name selects the canonical runtime with a warning [runtime-selection-6]", () => {
  const { runtime, deprecation } = REGISTRY.resolve("codebox");
  expect(runtime.id).toBe("wp-codebox");
  expect(deprecation).toEqual({
    ...{ schema: "homeboy/deprecated-runtime-alias/v1", alias: "codebox", replacement: "wp-codebox" },
    ...{ quarantine: "legacy-runtime-id-alias", status: "deprecated" },
  });
  expect(REGISTRY.resolve("wp-codebox").deprecation).toBeUndefined();
  expect(REGISTRY.select({ backend: "wp-codebox", runtime: "codebox" }).deprecation).toEqual(deprecation);
  expect(REGISTRY.runtimes.map(({ id }) => id)).toEqual(["acme", "off", "wp-codebox"]);
});

test("duplicate declarations are ignored and reported [runtime-provider-9]", () => {
  const twice = { id: "same.one", backend: "acme" };
  const registry = createRuntimeRegistry([packageOf("a", twice), packageOf("b", twice), packageOf("a", {})]);
  expect(registry.runtimes.map(({ id }) => id)).toEqual(["b"]);
  expect(registry.conflicts.map(({ kind, id }) => [kind, id])).toEqual([
    ["runtime", "a"],
    ["provider", "same.one"],
  ]);
  expect(() => registry.resolve("a")).toThrow(/packages declare the runtime id a: \/somewhere\/a/u);
  expect(() => registry.select({ backend: "acme", provider: "same.one" })).toThrow(/Several packages/u);
  expect(() => registry.select({ backend: "acme" })).toThrow(/no runtime/u);
});

test("bundles expand to their members, and a cycle or an unknown member is an error [runtime-capabilities-3]", () => {
  const bundles = {
    pr: ["write", "patch_artifacts"],
    write: ["acme_write"],
    loop: ["pool"],
    pool: ["loop"],
    bad: ["x"],
  };
  expect(expandCapabilities(["pr", "patch_artifacts", "own"], bundles, ["acme_write"])).toEqual([
    "acme_write",
    "patch_artifacts",
    "own",
  ]);
  expect(() => expandCapabilities(["loop"], bundles)).toThrow(/loop → pool → loop/u);
  expect(() => expandCapabilities(["bad"], bundles)).toThrow(/x is not known/u);
});

test("direct execution uses the capability that the caller names [runtime-runtime-execution-4]", () => {
  const provider = { id: "a", backend: "a", capabilities: ["ability_execution"] };
  expect(mapRuntimeExecution(provider, { kind: "ability", ability: "acme/do" })).toEqual({
    field: "ability",
    value: "acme/do",
  });
  expect(() => mapRuntimeExecution({ ...provider, capabilities: [] }, { kind: "ability", ability: "x" })).toThrow(
    /ability_execution/u,
  );
  expect(() => mapRuntimeExecution(provider, {})).toThrow(/kind is required/u);
});
