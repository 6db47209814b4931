import type { ReceivedTask } from "@switchyard/testkit";
import { redactData } from "../../src/index.ts";
import { but, changedRequest, declared, isMap, listOf, type WrongRuntime } from "./wrong-runtime.ts";

const ANY_TASK: ReceivedTask = { stdin: "{}", argv: [], env: {}, cwd: "/" };

/** Every failure that a host must report, by the names of its cases. */
const FAILURES = [
  ...["request-schema", "request-instructions", "request-no-backend", "request-other-backend", "request-deep-field"],
  ...["request-capability", "execution-unknown-kind", "execution-capability", "execution-ability"],
  ...["end-nonzero", "end-empty", "end-malformed", "end-two-documents", "end-no-program", "end-signal", "end-timeout"],
  ...["end-stalled", "end-flood", "end-wrong-schema", "end-undeclared-status", "end-other-task"],
  ...["end-failed-outcome", "end-nonzero-outcome", "end-stderr", "end-timeout-artifacts", "end-transient-ends"],
  ...["end-final", "end-cancelled", "outcome-no-status", "outcome-recoverable", "outcome-classification"],
  ...["outcome-classification-alias", "outcome-empty-success", "outcome-required-output", "outcome-required-artifact"],
  ...["secret-missing", "secret-invalid-name", "secret-condition-met", "secret-masked-stderr", "workspace-git"],
  ...["workspace-missing", "workspace-scope-none", "workspace-scope-changed", "workspace-scope-artifacts"],
];

/** Cases in which nothing may run. */
const REFUSALS = [
  ...["request-schema", "request-instructions", "request-no-backend", "request-other-backend", "request-deep-field"],
  ...["request-capability", "execution-unknown-kind", "execution-capability", "execution-ability", "secret-missing"],
  ...["secret-invalid-name", "secret-condition-met", "workspace-git", "workspace-missing"],
];

const wrongOutcomes: readonly WrongRuntime[] = [
  {
    fault: "takes everything for a success",
    noticedBy: [...FAILURES, "outcome-no-op"],
    factory: but({
      outcome: ({ failure_classification: _, ...outcome }) => ({ ...outcome, status: "succeeded" }),
    }),
  },
  {
    fault: "says nothing of what it saw",
    noticedBy: [
      ...["end-nonzero", "end-empty", "end-timeout", "end-nonzero-outcome", "end-stderr", "end-cancelled"],
      ...["outcome-no-op", "outcome-diagnostic-form", "artifact-confined", "request-schema", "secret-missing"],
    ],
    factory: but({ outcome: (outcome) => ({ ...outcome, diagnostics: [] }) }),
  },
  {
    fault: "classifies every outcome, also a success",
    noticedBy: ["outcome-success-unclassified", "request-deep-field", "secret-optional", "workspace-request"],
    factory: but({ outcome: (outcome) => ({ failure_classification: "unknown", ...outcome }) }),
  },
  {
    fault: "passes on the words of the provider as they are",
    noticedBy: ["outcome-classification", "outcome-classification-alias"],
    factory: but({
      outcome: (outcome, _, { behaviour }) => {
        const classification = behaviour.outcome?.["failure_classification"];
        return classification === undefined ? outcome : { ...outcome, failure_classification: classification };
      },
    }),
  },
  {
    fault: "knows only the fields of the contract",
    noticedBy: ["outcome-further-fields"],
    factory: but({ outcome: ({ acme_trace: _, ...outcome }) => outcome }),
  },
  {
    fault: "forgets the data of diagnostics",
    noticedBy: ["outcome-diagnostic-form", "end-nonzero-outcome"],
    factory: but({
      outcome: (outcome) => ({
        ...outcome,
        diagnostics: listOf(outcome["diagnostics"]).map((one) => (isMap(one) ? { ...one, data: undefined } : one)),
      }),
    }),
  },
  {
    fault: "refers to no artifact",
    noticedBy: ["artifact-form", "artifact-role", "end-timeout-artifacts"],
    factory: but({ outcome: (outcome) => ({ ...outcome, artifacts: [] }) }),
  },
  {
    fault: "passes on references as they are",
    noticedBy: ["artifact-confined", "artifact-form", "artifact-evidence", "artifact-role"],
    factory: but({
      outcome: (outcome, _, { behaviour }) => {
        const { artifacts, evidence_refs } = behaviour.outcome ?? {};
        return {
          ...outcome,
          ...(artifacts === undefined ? {} : { artifacts }),
          ...(evidence_refs === undefined ? {} : { evidence_refs }),
        };
      },
    }),
  },
  {
    fault: "knows no roles",
    noticedBy: ["artifact-role", "artifact-output-role"],
    factory: but({ setting: declared(() => ({ role_aliases: undefined })) }),
  },
  {
    fault: "passes on what a provider prints without redaction",
    noticedBy: ["secret-masked", "secret-metadata-keys", "secret-declared-key"],
    factory: but({
      outcome: (outcome, _, { behaviour, secrets }) => {
        const reported: unknown = JSON.parse(
          JSON.stringify(behaviour.outcome ?? {}).replaceAll("%ACME_TOKEN%", secrets["ACME_TOKEN"] ?? ""),
        );
        return isMap(reported) ? { ...outcome, ...reported } : outcome;
      },
    }),
  },
  {
    fault: "redacts the outputs as well",
    noticedBy: ["outcome-outputs-intact"],
    factory: but({ outcome: (outcome) => ({ ...outcome, outputs: redactData(outcome["outputs"]) }) }),
  },
  {
    fault: "prints the secret that the command printed",
    noticedBy: ["secret-masked-stderr"],
    factory: but({
      outcome: (outcome, _, { secrets }) => ({ ...outcome, stderr: `wrong: ${secrets["ACME_TOKEN"] ?? ""}` }),
    }),
  },
];

const wrongCalls: readonly WrongRuntime[] = [
  {
    fault: "starts the command first and checks then",
    noticedBy: REFUSALS,
    factory: but({ received: (tasks) => (tasks.length === 0 ? [ANY_TASK] : tasks) }),
  },
  {
    fault: "tries everything three times",
    noticedBy: ["end-final", "request-unknown-fields"],
    factory: but({ received: (tasks) => (tasks.length === 1 ? [...tasks, ...tasks, ...tasks] : tasks) }),
  },
  {
    fault: "tries nothing again",
    noticedBy: ["end-transient", "end-transient-ends"],
    factory: but({ received: (tasks) => tasks.slice(0, 1) }),
  },
  {
    fault: "passes on the fields that it knows",
    noticedBy: ["request-unknown-fields", "request-expected-artifacts", "execution-mapped", "secret-names-only"],
    factory: but({
      received: changedRequest(({ schema, task_id, instructions }) => ({
        schema,
        task_id,
        instructions,
        executor: {},
      })),
    }),
  },
  {
    fault: "puts the instructions behind the command",
    noticedBy: ["request-not-in-arguments"],
    factory: but({
      received: (tasks) => tasks.map((task) => ({ ...task, argv: [...task.argv, "touch marked"] })),
    }),
  },
  {
    fault: "runs the command in a folder of its own",
    noticedBy: ["workspace-request", "workspace-package"],
    factory: but({ received: (tasks) => tasks.map((task) => ({ ...task, cwd: "/" })) }),
  },
];

const wrongSecrets: readonly WrongRuntime[] = [
  {
    fault: "hands all secrets and variables over",
    noticedBy: ["secret-undeclared", "secret-condition-not-met"],
    factory: but({
      received: (tasks, { secrets, variables }) =>
        tasks.map((task) => ({ ...task, env: { ...task.env, ...secrets, ...variables } })),
    }),
  },
  {
    fault: "hands no secret over",
    noticedBy: ["secret-by-variable", "secret-asked-for", "secret-undeclared"],
    factory: but({ received: (tasks) => tasks.map((task) => ({ ...task, env: {} })) }),
  },
  {
    fault: "writes the values into the request",
    noticedBy: ["secret-by-variable"],
    factory: but({
      received: (tasks, { secrets }) =>
        tasks.map((task) => ({ ...task, stdin: JSON.stringify({ ...JSON.parse(task.stdin), secrets }) })),
    }),
  },
  {
    fault: "takes every secret for required",
    noticedBy: ["secret-optional"],
    factory: but({
      setting: declared(({ secret_requirements: listed }) => ({
        secret_requirements: listOf(listed).map((one) => (isMap(one) ? { ...one, required: true } : one)),
      })),
    }),
  },
  {
    fault: "takes every condition for met",
    noticedBy: ["secret-condition-not-met"],
    factory: but({
      setting: (setting) => ({
        ...declared(({ secret_env_requirements: listed }) => ({
          secret_env_requirements: listOf(listed).map((one) => (isMap(one) ? { env: one["env"] } : one)),
        }))(setting),
      }),
    }),
  },
];

const wrongWorkspaces: readonly WrongRuntime[] = [
  {
    fault: "lets providers write wherever they like",
    noticedBy: ["workspace-scope-none", "workspace-scope-changed", "workspace-scope-artifacts"],
    factory: but({ setting: declared(() => ({ workspace_materialization: {} })) }),
  },
  {
    fault: "lets no provider write",
    noticedBy: ["workspace-free", "workspace-scope-artifacts"],
    factory: but({ setting: declared(() => ({ workspace_materialization: { write_scope: "none" } })) }),
  },
];

/** Hosts with one fault each. */
export const wrongRuntimes: readonly WrongRuntime[] = [
  ...wrongOutcomes,
  ...wrongCalls,
  ...wrongSecrets,
  ...wrongWorkspaces,
];
