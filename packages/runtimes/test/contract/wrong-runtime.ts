import type { ReceivedTask, RuntimeFactory, RuntimeSetting } from "@switchyard/testkit";
import { openRuntime } from "./open-runtime.ts";

/** A host of runtimes with one fault. */
export interface WrongRuntime {
  /** What it does wrong. */
  readonly fault: string;
  /** Names of the cases that must detect the fault, without `runtime/`. */
  readonly noticedBy: readonly string[];
  /** Makes it. */
  readonly factory: RuntimeFactory;
}

/** A map. */
export type Fields = Readonly<Record<string, unknown>>;

/** Changes between a case and a host that fulfils the contract. */
export interface Changes {
  /** Changes the setting that the case requests. */
  setting?(setting: RuntimeSetting): RuntimeSetting;
  /** Of the request. */
  request?(request: Fields): unknown;
  /** Of the outcome. */
  outcome?(outcome: Fields, request: Fields, setting: RuntimeSetting): Fields;
  /** Changes the request that the command received. */
  received?(tasks: readonly ReceivedTask[], setting: RuntimeSetting): readonly ReceivedTask[];
}

/** Returns a host that fulfils the contract except for some changes. */
export function but(changes: Changes): RuntimeFactory {
  return async (task) => {
    const right = await openRuntime(changes.setting?.(task) ?? task);
    return {
      ...right,
      async execute(request, signal) {
        const sent = isMap(request) ? request : {};
        const outcome = await right.execute(changes.request?.(sent) ?? request, signal);
        return isMap(outcome) ? (changes.outcome?.(outcome, sent, task) ?? outcome) : outcome;
      },
      async received() {
        const tasks = await right.received();
        return changes.received?.(tasks, task) ?? tasks;
      },
    };
  };
}

/** Changes of the provider's declaration. `undefined` omits a field. */
export function declared(change: (provider: Fields) => Fields): NonNullable<Changes["setting"]> {
  return (setting) => {
    const fields = Object.entries({ ...setting.provider, ...change(setting.provider) });
    return { ...setting, provider: Object.fromEntries(fields.filter(([, value]) => value !== undefined)) };
  };
}

/** Changes the request that the command read. */
export function changedRequest(change: (request: Fields) => Fields): NonNullable<Changes["received"]> {
  return (tasks) =>
    tasks.map((task) => {
      const request: unknown = JSON.parse(task.stdin);
      return { ...task, stdin: JSON.stringify(change(isMap(request) ? request : {})) };
    });
}

/** Returns whether a value is a map. */
export function isMap(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the entries of a list, and no entries for any other value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
