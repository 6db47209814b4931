import { SCHEMA_IDS } from "../contract/schema-ids.ts";
import { isRecord } from "../json/is-record.ts";
import { valueAt } from "../json/value-at.ts";
import type { OpenFields } from "../task/task-request.ts";
import type { FanOutConfig, FanOutItems } from "./fan-out-config.ts";
import { assertTaskIds, type FanOutPlan, type FanOutTask } from "./fan-out-plan.ts";
import { renderTemplate } from "./render-template.ts";

/** Fields of an item that are looked for when no path is given. */
const KEY_FIELDS = ["group_key", "groupKey", "kind", "id"] as const;
const DEFAULT_KEY = "default";

function keyOf(item: unknown, path: string | undefined): string {
  const paths = path === undefined ? KEY_FIELDS : [path];
  for (const one of paths) {
    const value = valueAt(item, one);
    if (typeof value === "string" && value !== "") return value;
    if (typeof value === "number" || typeof value === "boolean") return String(value);
  }
  return DEFAULT_KEY;
}

/** Groups of items by their keys, in the order of their first items. */
function groupItems({ items = [], groups, group_key_path: path, group_by }: FanOutConfig): readonly FanOutItems[] {
  if (groups !== undefined) return groups;
  const made = new Map<string, unknown[]>();
  for (const item of items) {
    const key = keyOf(item, path ?? group_by);
    const group = made.get(key) ?? [];
    group.push(item);
    made.set(key, group);
  }
  return [...made].map(([key, grouped]) => ({ key, items: grouped }));
}

/** The values of fields of items, each once. */
function idsIn(items: readonly unknown[], ...fields: readonly string[]): string[] {
  const found = items.flatMap((item) => {
    const value = fields.map((field) => valueAt(item, field)).find((one) => one !== undefined);
    return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
  });
  return [...new Set(found)];
}

function defaultId({ run_id, plan_id }: OpenFields, key: string): string {
  const base = [run_id, plan_id].find((one) => typeof one === "string" && one !== "") ?? "fanout";
  return `${base}-${key}`.replace(/[^A-Za-z0-9._-]/gu, "-");
}

function taskOf(config: FanOutConfig, { key, items }: FanOutItems, index: number): FanOutTask {
  const { orchestrator = {}, task_request_template: template = {}, runtime_execution } = config;
  const group = {
    ...{ key, index, items, item_count: items.length, item_ids: idsIn(items, "id") },
    ...{ packet_ids: idsIn(items, "packet_id", "packet.id"), finding_ids: idsIn(items, "finding_id", "finding.id") },
  };
  const rendered = renderTemplate(template, { group, orchestrator });
  const fields: OpenFields = isRecord(rendered) ? rendered : {};
  const named = [fields["id"], fields["task_id"]].find((one) => typeof one === "string" || typeof one === "number");
  const id = named === undefined ? defaultId(orchestrator, key) : String(named);
  const execution = fields["runtime_execution"] ?? runtime_execution;
  return {
    schema: SCHEMA_IDS.task_request,
    ...fields,
    id,
    task_id: id,
    group_key: key,
    orchestrator: { ...orchestrator, group_index: index },
    ...(execution === undefined ? {} : { runtime_execution: execution }),
  };
}

/**
 * Plans a fan-out: groups items and makes a task request of each group. The same configuration gives the same plan.
 * Throws `input.invalid` when two tasks have the same id. agent-runtime-package: host orchestration contract.
 */
export function planFanOut(config: FanOutConfig): FanOutPlan {
  const groups = groupItems(config);
  const tasks = groups.map((group, index) => taskOf(config, group, index + 1));
  assertTaskIds(tasks, "the fan-out");
  const { orchestrator = {}, summary = {}, reconciliation_schema, plan_schema } = config;
  return {
    schema: plan_schema ?? SCHEMA_IDS.fanout_plan,
    orchestrator,
    summary: {
      ...summary,
      config_schema: SCHEMA_IDS.fanout_config,
      item_count: groups.reduce((count, { items }) => count + items.length, 0),
      group_count: groups.length,
      task_count: tasks.length,
    },
    groups: groups.map(({ key, items }, index) => ({ key, index: index + 1, item_count: items.length })),
    task_requests: tasks,
    reconciliation: { schema: reconciliation_schema ?? SCHEMA_IDS.fanout_reconciliation },
  };
}
