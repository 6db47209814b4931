import { EngineError } from "@switchyard/contracts";
import { expect, test } from "vitest";
import {
  parseRunnerSpec,
  projectArtifact,
  projectEvidence,
  projectRunnerSpec,
  providerSecretEnvRequirement,
} from "../index.ts";

const SPEC = {
  schema: "homeboy/agent-task-runner-spec/v1",
  executor: { backend: "acme", runtime: "acme-runtime", config: { provider: "x" }, secret_env: ["A"] },
  limits: { timeout_ms: 1000 },
  expected_artifacts: ["a.md"],
  artifact_declarations: [{ name: "b.md", path: "out/b.md" }],
};

function problemsOf(data: unknown): unknown {
  try {
    parseRunnerSpec(data);
    return [];
  } catch (error) {
    return EngineError.is(error, "config.invalid") ? error.details["problems"] : error;
  }
}

test.each([
  [{ ...SPEC, schema: "x" }, "runner spec schema must be homeboy/agent-task-runner-spec/v1."],
  [{ ...SPEC, executor: undefined }, "runner spec executor is required."],
  [{ ...SPEC, executor: { config: {} } }, "backend is required."],
  [{ ...SPEC, executor: { backend: "  ", config: {} } }, "backend is required."],
  [{ ...SPEC, executor: { backend: "acme" } }, "runner spec executor.config is required."],
  [{ ...SPEC, limits: { timeout_ms: "soon" } }, "limits.timeout_ms must be a number"],
])("each violation has a specific message [runtime-adapter-4, runtime-adapter-6]", (data, problem) => {
  expect(problemsOf(data)).toEqual([problem]);
});

test("all violations are reported together", () => {
  expect(problemsOf({ executor: {} })).toHaveLength(3);
  expect(problemsOf("text")).toHaveLength(2);
});

test("a runner spec sets these fields of a request [runtime-adapter-5]", () => {
  const { schema: _, ...rest } = SPEC;
  expect(projectRunnerSpec(parseRunnerSpec({ ...SPEC, note: "not of the request" }))).toEqual(rest);
  const least = { schema: SPEC.schema, executor: { backend: "acme", config: {} } };
  expect(projectRunnerSpec(parseRunnerSpec(least))).toEqual({ executor: least.executor });
});

test("a model provider's requirement has the default paths [runtime-adapter-7]", () => {
  expect(providerSecretEnvRequirement("acme", ["ACME_KEY"])).toEqual({
    ...{ schema: "homeboy/secret-env-requirement/v1", source: "provider_default", env: ["ACME_KEY"] },
    when: {
      any: [
        { path: "executor.config.provider", equals: "acme" },
        { path: "executor.provider", equals: "acme" },
        { path: "provider", equals: "acme" },
      ],
    },
  });
});

test("missing ids, kinds and paths of references are derived [runtime-adapter-3]", () => {
  expect(projectArtifact({ sha256: "ab", directory: "out" }, 0)).toMatchObject({ id: "ab", path: "out" });
  expect(projectArtifact("a.md", 0)).toMatchObject({ id: "a.md", path: "a.md", kind: "agent_task_artifact" });
  expect(projectArtifact({ id: 7, path: ["x"] }, 4)).toEqual({
    ...{ schema: "homeboy/agent-task-artifact/v1", id: "agent-task-artifact-5", kind: "agent_task_artifact" },
  });
  expect(projectEvidence({ url: "https://a.example", type: "log" })).toMatchObject({ kind: "log" });
  expect(projectEvidence("text")).toBeUndefined();
});
