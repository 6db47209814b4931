import assert from "node:assert/strict";
import type { Opened } from "../contract/define-contract.ts";
import type { ReceivedTask, RuntimeFactory, RuntimeSetting, RuntimeSubject } from "./runtime-subject.ts";

/** Options of the task that a conformance case runs. */
interface TaskTrial extends Partial<RuntimeSetting> {
  /** Returns fields of the request. They override the bench's default fields. `undefined` removes a field. */
  readonly request?: ((subject: RuntimeSubject) => Readonly<Record<string, unknown>>) | undefined;
  /** Fields of the request's `executor`, which selects the runtime. They override the bench's default fields. */
  readonly executor?: Readonly<Record<string, unknown>> | undefined;
  /** Ends the task. */
  readonly signal?: AbortSignal | undefined;
}

/** Outcome of a task. */
export interface TaskRun {
  /** Outcome document. */
  readonly outcome: Readonly<Record<string, unknown>>;
  /** Inputs received by the command. */
  readonly received: readonly ReceivedTask[];
  /** Runtime under test. */
  readonly subject: RuntimeSubject;
}

/** Test bench that runs one task per conformance case. */
export interface RuntimeBench extends Opened {
  run(trial: TaskTrial): Promise<TaskRun>;
}

/** Id of the task in every conformance case. */
const TASK_ID = "task-7";

/** Opens a test bench for one conformance case. */
export async function openRuntimeBench(factory: RuntimeFactory): Promise<RuntimeBench> {
  const opened: RuntimeSubject[] = [];
  return {
    async run({ request, executor, signal = new AbortController().signal, ...overrides }) {
      const setting = { provider: {}, behaviour: {}, secrets: {}, variables: {}, files: {}, ...overrides };
      const subject = await factory(setting);
      opened.push(subject);
      const good = {
        schema: "homeboy/agent-task-request/v1",
        task_id: TASK_ID,
        executor: { backend: subject.backend, config: {}, ...executor },
        instructions: "Do something.",
        workspace: { mode: "existing", root: subject.workspace },
      };
      const outcome = await subject.execute({ ...good, ...request?.(subject) }, signal);
      assert.ok(isMap(outcome), "the outcome must be an object");
      return { outcome, received: await subject.received(), subject };
    },
    async dispose() {
      for (const subject of opened) await subject.dispose?.();
    },
  };
}

/** Returns true if a value is an object and not an array. */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the objects in an array. Returns an empty list for any other value. */
export function mapsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isMap) : [];
}

/** Asserts that a task ended with the given status, and that its outcome has the common format. */
export function assertEnded({ outcome }: TaskRun, status: string, classification?: string): void {
  assert.equal(outcome["schema"], "homeboy/agent-task-outcome/v1");
  assert.equal(outcome["task_id"], TASK_ID);
  assert.equal(outcome["status"], status, `${String(outcome["status"])}: ${String(outcome["summary"])}`);
  assert.equal(outcome["failure_classification"], classification);
  assert.ok(Array.isArray(outcome["diagnostics"]), "diagnostics are a list");
  assert.ok(Array.isArray(outcome["artifacts"]), "artifacts are a list");
  assert.ok(isMap(outcome["metadata"]), "metadata is a map");
  assert.equal(typeof outcome["summary"], "string");
}

/** Asserts that an outcome has a diagnostic with the given class. Returns the diagnostic's message. */
export function diagnosticOf({ outcome }: TaskRun, name: string): string {
  const found = mapsOf(outcome["diagnostics"]).find((one) => one["class"] === name);
  const classes = mapsOf(outcome["diagnostics"]).map((one) => one["class"]);
  assert.ok(found !== undefined, `no diagnostic ${name} among ${classes.join(", ") || "none"}`);
  return String(found["message"]);
}

/** Asserts that the command was not started. */
export function assertNotRun({ received }: TaskRun): void {
  assert.equal(received.length, 0, "the command was started");
}

/** Asserts that the command was started once. Returns the request that the command read. */
export function requestOf({ received }: TaskRun): Readonly<Record<string, unknown>> {
  const [task] = received;
  assert.equal(received.length, 1, "the command was not started once");
  const request: unknown = JSON.parse(task?.stdin ?? "null");
  assert.ok(isMap(request), "the request must be an object");
  return request;
}
