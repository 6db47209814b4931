import { SCHEMA_IDS } from "../contract/schema-ids.ts";
import { isRecord } from "../json/is-record.ts";
import { valueAt } from "../json/value-at.ts";
import type { OpenFields } from "../task/task-request.ts";
import type { FanOutConfig } from "./fan-out-config.ts";
import { assertTaskIds, type FanOutExecution, type FanOutPlan, type FanOutTask } from "./fan-out-plan.ts";
import { firstScalar } from "./first-scalar.ts";
import { planReconciliation } from "./reconcile-fan-out.ts";
import { renderTemplate } from "./render-template.ts";

/** Item fields that are tried in this order as group key, if the configured path has no value. */
const KEY_FIELDS = ["groupKey", "kind", "id"] as const;
const DEFAULT_KEY = "default";

interface Group {
  readonly key: string;
  readonly items: readonly unknown[];
}

/**
 * Returns the predefined groups of a configuration. Without them, groups the items by key, in the order of the first
 * item of each group.
 */
function groupsOf({ items = [], groups = [], group_key_path: path, group_by: by }: FanOutConfig): readonly Group[] {
  if (groups.length > 0) {
    return groups.map((group, index) => ({
      key: firstScalar(group.key, group["group_key"], group["id"]) ?? `group-${index + 1}`,
      items: group.items ?? [],
    }));
  }
  const byKey = new Map<string, unknown[]>();
  for (const item of items) {
    const values = [path ?? by ?? "group_key", ...KEY_FIELDS].map((field) => valueAt(item, field));
    const key = firstScalar(...values) ?? DEFAULT_KEY;
    const group = byKey.get(key) ?? [];
    group.push(item);
    byKey.set(key, group);
  }
  return [...byKey].map(([key, grouped]) => ({ key, items: grouped }));
}

/** Returns the id of each item: the value of the first given field that exists, otherwise the item's 1-based index. */
function idsOf(items: readonly unknown[], fields: readonly string[]): string[] {
  return items.map((item, index) => firstScalar(...fields.map((field) => valueAt(item, field))) ?? String(index + 1));
}

/** Returns the packets (lists of findings) that contained the items, without duplicates. */
function packetsOf(items: readonly unknown[]): string[] {
  const found = items.flatMap((item) => firstScalar(valueAt(item, "packet_id"), valueAt(item, "packet.id")) ?? []);
  return [...new Set(found)];
}

function defaultId({ run_id, plan_id }: OpenFields, key: string): string {
  return `${firstScalar(run_id, plan_id) ?? "fanout"}-${key}`.replace(/[^A-Za-z0-9._-]+/gu, "-");
}

function taskOf(config: FanOutConfig, { key, items }: Group, index: number): FanOutTask {
  const { orchestrator = {}, task_request_template: template = {} } = config;
  const group = {
    ...{ key, index, items, item_count: items.length, item_ids: idsOf(items, ["id", "key"]) },
    ...{ packet_ids: packetsOf(items), finding_ids: idsOf(items, ["finding_id", "finding.id", "id"]) },
  };
  const scope = { group, orchestrator };
  const rendered = renderTemplate(template, scope);
  const fields: OpenFields = isRecord(rendered) ? rendered : {};
  const id = idIn(fields) ?? defaultId(orchestrator, key);
  const execution = fields["runtime_execution"] ?? renderTemplate(config.runtime_execution, scope);
  const orchestratorFields = isRecord(fields["orchestrator"]) ? fields["orchestrator"] : {};
  return {
    schema: SCHEMA_IDS.task_request,
    ...fields,
    id,
    task_id: id,
    group_key: firstScalar(fields["group_key"]) ?? key,
    orchestrator: { ...orchestrator, group_index: index, ...orchestratorFields },
    ...(execution === undefined ? {} : { runtime_execution: execution }),
  };
}

/** Returns the task id from a rendered template. A blank id is returned too, so that it is rejected later. */
function idIn(fields: OpenFields): string | undefined {
  const named = [fields["id"], fields["task_id"]].find((one) => typeof one === "string" || typeof one === "number");
  return named === undefined ? undefined : String(named).trim();
}

function executionOf(config: FanOutConfig): { execution?: FanOutExecution } {
  const { result_schema, success_statuses, outcome_path, concurrency, base_run, include_summary } = config;
  const settings = { result_schema, success_statuses, outcome_path, concurrency, base_run, include_summary };
  const set = Object.entries(settings).filter(([, value]) => value !== undefined);
  return set.length === 0 ? {} : { execution: Object.fromEntries(set) };
}

/**
 * Plans a fan-out: groups items and creates one task request per group. The same configuration gives the same plan.
 * Throws `input.invalid` if two tasks have the same id. See agent-runtime-package: host orchestration contract.
 */
export function planFanOut(config: FanOutConfig): FanOutPlan {
  const groups = groupsOf(config);
  const tasks = groups.map((group, index) => taskOf(config, group, index));
  assertTaskIds(tasks, "the fan-out");
  const { orchestrator = {}, summary = {}, reconciliation_schema, plan_schema } = config;
  return {
    schema: plan_schema ?? SCHEMA_IDS.fanout_plan,
    orchestrator,
    summary: {
      config_schema: firstScalar(config["schema"]) ?? SCHEMA_IDS.fanout_config,
      ...summary,
      item_count: groups.reduce((count, { items }) => count + items.length, 0),
      group_count: groups.length,
      task_count: tasks.length,
    },
    groups: groups.map(({ key, items }, index) => ({ key, index, item_count: items.length })),
    task_requests: tasks,
    reconciliation: planReconciliation(reconciliation_schema, { groups: groups.length, tasks: tasks.length }),
    ...executionOf(config),
  };
}
