import { posix } from "node:path";
import type { ExecResult } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { wrapEnvironment } from "@switchyard/environment/wrappers";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  createRuntimeRegistry,
  executeTask,
  OUTCOME_STATUSES,
  parseManifest,
  type TaskOutcome,
} from "../../src/index.ts";
import { makeFolder } from "../workspace/make-task.ts";

const PROVIDER = { id: "acme.one", backend: "acme", command: "acme run" };
const LEAST = { schema: "homeboy/agent-runtime-manifest/v1", id: "acme", agent_task_executors: [PROVIDER] };
const STRICT_PROVIDER = {
  ...PROVIDER,
  ...{ schema: "homeboy/agent-task-executor-provider/v1", label: "Acme" },
  ...{ request_schema: "homeboy/agent-task-request/v1", outcome_schema: "homeboy/agent-task-outcome/v1" },
  ...{ request_required_fields: ["task_id"], outcome_statuses: ["succeeded"], failure_classifications: ["provider"] },
  ...{ redacted_metadata_keys: [], capabilities: [], runner_readiness: [], role_aliases: {} },
  ...{ workspace_materialization: {}, secret_requirements: [], secret_env_requirements: [], provider_defaults: {} },
  ...{ diagnostics: {}, status: "active", integration_contract: "none" },
};
const STRICT = { ...LEAST, name: "Acme", version: "1", description: "A.", agent_task_executors: [STRICT_PROVIDER] };

/** Fields that no version of the contract defines, including names with a special meaning in JavaScript. */
const unknownFields = fc.dictionary(
  fc.oneof(
    fc.string({ maxLength: 8 }).map((name) => `x_${name}`),
    fc.constantFrom("constructor", "toString", "valueOf", "hasOwnProperty"),
  ),
  fc.jsonValue({ maxDepth: 3 }).filter((value) => !JSON.stringify(value).includes("__proto__")),
  { maxKeys: 4, noNullPrototype: true },
);

test("a manifest is written back unchanged, with unknown fields at every level [runtime-manifest-4]", () => {
  const paths = fc.record({
    root: unknownFields,
    provider: unknownFields,
    workspace: unknownFields,
    check: unknownFields,
  });
  fc.assert(
    fc.property(paths, fc.constantFrom("strict" as const, "load" as const), (extra, level) => {
      const [base, provider] = level === "strict" ? [STRICT, STRICT_PROVIDER] : [LEAST, PROVIDER];
      const document = {
        ...{ ...extra.root, ...base },
        agent_task_executors: [
          {
            ...{ ...extra.provider, ...provider },
            workspace_materialization: { ...extra.workspace, cwd: "request_workspace" },
            runner_readiness: [{ ...extra.check, id: "one", label: "One" }],
          },
        ],
      };
      const text = JSON.stringify(document);
      const parsed = parseManifest(text, { level });
      expect(JSON.parse(JSON.stringify(parsed.manifest))).toEqual(JSON.parse(text));
      expect(JSON.parse(JSON.stringify(parsed.document))).toEqual(JSON.parse(text));
    }),
    { numRuns: 150 },
  );
});

test("any input is parsed as a manifest, or rejected with the matching code [runtime-manifest-5]", () => {
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    fc.jsonValue().map((value) => JSON.stringify({ ...LEAST, id: value })),
  );
  fc.assert(
    fc.property(text, (written) => {
      try {
        parseManifest(written);
      } catch (error) {
        expect(EngineError.is(error, "runtime.manifest_invalid")).toBe(true);
      }
    }),
    { numRuns: 200 },
  );
});

/** Executes a task whose command prints the given text. */
async function outcomeOf(stdout: string): Promise<TaskOutcome> {
  const root = await makeFolder();
  const found = {
    id: "acme",
    folder: root,
    origin: "project",
    manifest: LEAST,
    document: LEAST,
    warnings: [],
  } as const;
  const result: ExecResult = {
    ...{ stdout, stderr: "", exitCode: 0, timedOut: false, aborted: false, durationMs: 1, droppedBytes: 0 },
  };
  const request = {
    ...{ schema: "homeboy/agent-task-request/v1", task_id: "task-1", instructions: "Do it." },
    ...{ executor: { backend: "acme" }, workspace: { root } },
  };
  return executeTask(request, {
    selected: createRuntimeRegistry([found]).select({ backend: "acme" }),
    allowGitPush: true,
    openFolder: async (folder) =>
      wrapEnvironment(await openLocalEnvironment({ root: folder }), {
        suffix: "printing",
        command: () => Promise.resolve(result),
      }),
  });
}

const OUTCOME = { schema: "homeboy/agent-task-outcome/v1", task_id: "task-1", status: "succeeded", summary: "done" };

test("any command output gives an outcome, and success only for one complete document [runtime-provider-command-2] [runtime-provider-command-9]", async () => {
  const complete = JSON.stringify(OUTCOME);
  const prose = fc.string({ minLength: 1, maxLength: 40 }).filter((text) => text.trim() !== "");
  const printed = fc.oneof(
    fc.string(),
    fc.json(),
    prose.map((text) => `${text}${complete}`),
    prose.map((text) => `${complete}${text}`),
    fc.constant(`${complete}\n${complete}`),
    fc.integer({ min: 0, max: complete.length - 1 }).map((end) => complete.slice(0, end)),
  );
  await fc.assert(
    fc.asyncProperty(printed, async (text) => {
      const outcome = await outcomeOf(text);
      expect(outcome.task_id).toBe("task-1");
      expect(outcome.status).toBe("provider_error");
      expect(outcome.failure_classification).toBe("provider");
    }),
    { numRuns: 120 },
  );
});

test("an outcome with any fields has a contract status, and success has evidence [runtime-outcome-1]", async () => {
  const field = fc.option(
    fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant([{ path: "../x" }, { path: "/etc/passwd" }])),
    {
      nil: undefined,
    },
  );
  const fields = fc.record({
    ...{ summary: field, diagnostics: field, artifacts: field, metadata: field, outputs: field, evidence_refs: field },
    status: fc.oneof(fc.constantFrom(...OUTCOME_STATUSES), field),
  });
  const artifacts = [".", "./", "x/../.", "..", "x"];
  const other = { summary: "", diagnostics: [], metadata: {}, outputs: {}, evidence_refs: [] };
  await fc.assert(
    fc.asyncProperty(fields, fc.constantFrom("", " \n", "\uFEFF"), async (input, around) => {
      const outcome = await outcomeOf(`${around}${JSON.stringify({ ...OUTCOME, ...input })}${around.trim()}`);
      expect(OUTCOME_STATUSES).toContain(outcome.status);
      expect(outcome.artifacts.filter(({ path }) => path !== undefined && !namesTheWorkspace(path))).toEqual([]);
      const isGood = outcome.status === "succeeded" || outcome.status === "no_op";
      expect(typeof outcome.failure_classification).toBe(isGood ? "undefined" : "string");
    }),
    { numRuns: 120, examples: [[{ ...other, artifacts, status: "succeeded" }, ""]] },
  );
});

/** Whether a path is the workspace itself, which is the only path that exists in an empty workspace. */
function namesTheWorkspace(path: string): boolean {
  return [".", "./"].includes(posix.normalize(path));
}
