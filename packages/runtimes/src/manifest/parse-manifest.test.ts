import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { EngineError } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { type ManifestLevel, parseManifest } from "../index.ts";

const FIXTURES = fileURLToPath(new URL("../../../../fixtures/runtimes/", import.meta.url));
const FULL = await readFile(`${FIXTURES}full/full.json`, "utf8");
const LEAST = {
  schema: "homeboy/agent-runtime-manifest/v1",
  id: "acme",
  agent_task_executors: [{ id: "acme.one", backend: "acme", command: "acme run" }],
};

type Fields = Record<string, unknown>;

/** Returns the problems for which a manifest is rejected. Empty if it is accepted. */
function problemsOf(document: unknown, level: ManifestLevel = "load"): string[] {
  try {
    parseManifest(typeof document === "string" ? document : JSON.stringify(document), { level });
    return [];
  } catch (error) {
    if (!EngineError.is(error, "runtime.manifest_invalid")) throw error;
    const { problems } = error.details;
    return Array.isArray(problems) ? problems.map(String) : [error.message];
  }
}

/** Returns a minimal manifest with additional or changed fields of its provider. */
function withProvider(fields: Fields): unknown {
  const [provider] = LEAST.agent_task_executors;
  return { ...LEAST, agent_task_executors: [{ ...provider, ...fields }] };
}

function fullWithout(...names: string[]): unknown {
  const document: { agent_task_executors: Fields[] } & Fields = JSON.parse(FULL);
  for (const name of names) {
    delete document[name];
    for (const provider of document.agent_task_executors) delete provider[name];
  }
  return document;
}

test("a manifest with every field passes strict validation [runtime-manifest-6]", () => {
  expect(problemsOf(FULL, "strict")).toEqual([]);
});

test("load validation accepts ids, backend and a command or an argv [runtime-manifest-3, runtime-provider-10]", () => {
  expect(problemsOf(LEAST)).toEqual([]);
  expect(problemsOf(withProvider({ command: undefined, invocation: { argv: ["acme"] } }))).toEqual([]);
  expect(problemsOf(withProvider({ command: undefined, command_argv: ["acme"] }))).toEqual([]);
  for (const command of [undefined, "", "  "]) {
    expect(problemsOf(withProvider({ command }))).toEqual([
      "agent_task_executors[0]: it has neither a command nor an argv",
    ]);
  }
  expect(problemsOf({ ...LEAST, agent_task_executors: [] })).toEqual(["agent_task_executors must not be empty"]);
});

test.each(["schema", "id", "agent_task_executors"])("load validation requires %s at the root", (name) => {
  expect(problemsOf({ ...LEAST, [name]: undefined }).join()).toContain(name);
});

const ROOT_FIELDS = ["schema", "id", "name", "version", "description", "agent_task_executors"];
const PROVIDER_FIELDS = [
  ...["label", "command", "request_schema", "outcome_schema", "request_required_fields", "outcome_statuses"],
  ...["failure_classifications", "redacted_metadata_keys", "capabilities", "runner_readiness", "role_aliases"],
  ...["workspace_materialization", "secret_requirements", "secret_env_requirements", "provider_defaults"],
  ...["diagnostics", "status", "integration_contract"],
];

test.each(ROOT_FIELDS)("strict validation requires %s at the root [runtime-manifest-1]", (name) => {
  const document: Fields = JSON.parse(FULL);
  delete document[name];
  expect(problemsOf(document, "strict").join()).toContain(name);
});

test.each(PROVIDER_FIELDS)(
  "strict validation requires %s of a provider, load validation does not [runtime-provider-2, runtime-provider-3, runtime-provider-4, runtime-provider-5]",
  (name) => {
    expect(problemsOf(fullWithout(name), "strict")).toContain(`agent_task_executors[0].${name} is required`);
    // Without `command`, a manifest must contain the command as arguments, also at the level `load`.
    expect(problemsOf(fullWithout(name)).length).toBe(name === "command" ? 1 : 0);
  },
);

test("a field of a wrong type is rejected at both levels", () => {
  const document: Fields = JSON.parse(FULL);
  const [provider]: Fields[] = JSON.parse(FULL).agent_task_executors;
  for (const name of ROOT_FIELDS) {
    for (const level of ["load", "strict"] as const) {
      expect([name, problemsOf({ ...document, [name]: 7 }, level).join()]).toEqual([
        name,
        expect.stringContaining(name),
      ]);
    }
  }
  for (const name of ["id", "backend", ...PROVIDER_FIELDS]) {
    const changed = { ...document, agent_task_executors: [{ ...provider, [name]: 7 }] };
    expect([name, problemsOf(changed).join()]).toEqual([name, expect.stringContaining(name)]);
  }
});

test("ids of schemas are those of the contract [runtime-manifest-2, runtime-provider-1, runtime-provider-6]", () => {
  expect(problemsOf({ ...LEAST, schema: "acme/manifest/v1" }).join()).toContain("homeboy/agent-runtime-manifest/v1");
  for (const [name, id] of [
    ["schema", "homeboy/agent-task-executor-provider/v1"],
    ["request_schema", "homeboy/agent-task-request/v1"],
    ["outcome_schema", "homeboy/agent-task-outcome/v1"],
  ] as const) {
    expect(problemsOf(withProvider({ [name]: "acme/other/v1" }))).toEqual([
      `agent_task_executors[0].${name} must be ${id}`,
    ]);
    expect(problemsOf(withProvider({ [name]: id }))).toEqual([]);
  }
});

test("unknown fields are preserved and written back unchanged [runtime-manifest-4]", () => {
  const { manifest, document } = parseManifest(FULL);
  expect(document).toEqual(JSON.parse(FULL));
  expect(manifest).toEqual(JSON.parse(FULL));
  const further = withProvider({ acme: { deep: [1, { two: null }] } });
  expect(parseManifest(JSON.stringify(further)).manifest).toEqual(further);
});

test("all problems are reported together, each with the path of its field [runtime-manifest-5]", () => {
  const broken = { ...LEAST, id: 7, agent_task_executors: [{ id: "a", backend: "", command: 1, capabilities: [2] }] };
  expect(problemsOf(broken)).toEqual([
    "id must be a text",
    "agent_task_executors[0].backend: it is blank",
    "agent_task_executors[0].command must be a text",
    "agent_task_executors[0].capabilities[0] must be a text",
  ]);
});

test("invalid JSON is rejected with its position [runtime-manifest-7]", () => {
  expect(problemsOf('{\n  "schema": oops\n}').join()).toContain("line 2, column 13");
  expect(problemsOf("").join()).toContain("line 1, column 1");
  expect(problemsOf("[]").join()).toContain("the document must be a map");
});

test("a missing status means active, and unknown values are diagnosed [runtime-provider-8, runtime-provider-11, runtime-provider-7]", () => {
  for (const status of [undefined, "active", "experimental", "deprecated"]) {
    expect(parseManifest(JSON.stringify(withProvider({ status }))).warnings).toEqual([]);
  }
  const odd = withProvider({ id: "one", status: "asleep", outcome_statuses: ["succeeded", "splendid"] });
  expect(parseManifest(JSON.stringify(odd)).warnings).toEqual([
    "agent_task_executors[0].id: one is not namespaced by acme",
    "agent_task_executors[0].outcome_statuses: splendid is not a known status",
    "agent_task_executors[0].status: asleep is not one of: active, experimental, deprecated",
  ]);
});

test("secrets are declared by name, and a value is rejected without being shown [runtime-secrets-1]", () => {
  const value = ["sk", "ant", "api03", "aB3dE5gH7jK9mN1pQ2sT4vW6yZ8bC0fJxL"].join("-");
  const leaking = problemsOf(withProvider({ provider_defaults: { acme: { key: value } } }));
  expect(leaking.join()).toMatch(/provider_defaults\.acme\.key contains a credential/u);
  expect(leaking.join()).not.toContain(value);
  const named = withProvider({ secret_requirements: [{ name: "ACME_TOKEN", value: "hunter2" }] });
  expect(problemsOf(named).join()).toMatch(/secret_requirements\[0\]\.value/u);
  expect(problemsOf(named).join()).not.toContain("hunter2");
});

test.each([
  ["secret_requirements", [{ name: "ACME TOKEN" }]],
  ["secret_env_requirements", [{ env: ["GOOD", "1BAD"] }]],
  ["runner_readiness", [{ id: "a", label: "A", secret_env: ["BAD-NAME"] }]],
  ["provider_defaults", { acme: { secret_env: ["A=B"] } }],
])("%s: an invalid variable name is rejected [runtime-secrets-9]", (field, value) => {
  expect(problemsOf(withProvider({ [field]: value })).join()).toContain(field);
});

test.each(["/etc", "../out", "a/../../out", "C:\\out", ""])(
  "the artifact path %j is rejected, because it is outside the workspace [runtime-workspace-4]",
  (path) => {
    expect(problemsOf(withProvider({ workspace_materialization: { artifact_paths: [path] } }))).toHaveLength(1);
  },
);
