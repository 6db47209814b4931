import { EngineError } from "@switchyard/contracts";
import { z } from "zod";
import { SCHEMA_IDS } from "../contract/schema-ids.ts";
import { describeIssues } from "../json/describe-issues.ts";
import { isRecord } from "../json/is-record.ts";
import { valueAt } from "../json/value-at.ts";
import type { OpenFields } from "../task/task-request.ts";
import { type FanOutConfig, parseFanOutConfig } from "./fan-out-config.ts";
import type { FanOutPlan } from "./fan-out-plan.ts";
import { type FindingPolicy, findingPolicySchema } from "./finding-policy.ts";
import { firstScalar } from "./first-scalar.ts";
import { planFanOut } from "./plan-fan-out.ts";
import { renderTemplate } from "./render-template.ts";

interface PacketConfig {
  readonly packets: readonly unknown[];
  readonly policy: FindingPolicy;
}

const schema: z.ZodType<PacketConfig> = z.preprocess(
  (data) => (isRecord(data) ? withUsualNames(data) : data),
  z.looseObject({ packets: z.array(z.unknown()).readonly(), policy: findingPolicySchema }),
);

/** Returns a configuration in which aliases of field names are replaced by the standard names. */
function withUsualNames(data: Record<string, unknown>): Record<string, unknown> {
  const packets = data["packets"] ?? data["finding_packets"] ?? data["findingPackets"];
  const policy = data["policy"] ?? data["finding_policy"] ?? data["findingPolicy"] ?? {};
  return { ...data, packets, policy };
}

const TEMPLATE: OpenFields = {
  id: "finding-packet-{{group.key}}",
  item_ids: "{{group.item_ids}}",
  packet_ids: "{{group.packet_ids}}",
  finding_count: "{{group.item_count}}",
  inputs: { findings: "{{group.items}}" },
};

/** Returns the findings in a packet, which contains a list of findings or diagnostics, or a single finding. */
function findingsOf(packet: unknown, { findings_path }: FindingPolicy): readonly unknown[] {
  for (const path of [findings_path, "findings", "diagnostics", "finding"]) {
    const found = valueAt(packet, path);
    if (Array.isArray(found)) return found;
    if (found !== undefined && found !== null) return [found];
  }
  return [];
}

function keyOf(scope: { finding: unknown; packet: unknown }, policy: FindingPolicy): string {
  const { group_by: paths, group_key_template: template = "", fallback_group_key: fallback } = policy;
  if (template.trim() !== "") return firstScalar(renderTemplate(template, scope)) ?? fallback;
  const keyParts = paths.flatMap((path) => firstScalar(valueAt(scope, path)) ?? []);
  return keyParts.length === 0 ? fallback : keyParts.join(":");
}

/** Returns, as text, the value of the first given field that exists in an object. */
function fieldOf(value: unknown, ...paths: readonly string[]): string | undefined {
  return firstScalar(...paths.map((path) => valueAt(value, path)));
}

/** Returns a finding as an item of the fan-out, with the fields that task templates usually refer to. */
function itemOf(
  scope: { finding: unknown; packet: unknown },
  positions: readonly [number, number],
  policy: FindingPolicy,
) {
  const { finding, packet } = scope;
  const [packetIndex, index] = positions;
  const packetId = fieldOf(packet, policy.packet_id_path, "packet_id", "key") ?? `packet-${packetIndex + 1}`;
  const findingId = fieldOf(finding, policy.finding_id_path, "finding_id", "rule_id", "code") ?? `finding-${index + 1}`;
  const described = {
    type: fieldOf(finding, "type", "kind", "rule_id"),
    severity: fieldOf(finding, "severity"),
    path: fieldOf(finding, "path", "file"),
    message: fieldOf(finding, "message", "description"),
  };
  return {
    ...{ id: `${packetId}:${findingId}`, packet_id: packetId, finding_id: findingId },
    ...{ index, packet_index: packetIndex, group_key: keyOf(scope, policy) },
    ...Object.fromEntries(Object.entries(described).filter(([, value]) => value !== undefined)),
    finding,
    ...(policy.include_packet ? { packet } : {}),
  };
}

/**
 * Plans a fan-out over the findings in `packets`: JSON objects, each with a list of findings and metadata. Findings are
 * grouped by type and severity, or by the configured `policy`. Each group becomes a task, whose request contains the
 * findings and the ids of their packets. All other settings are the same as for `planFanOut`. Throws `input.invalid`.
 * See agent-runtime-package: homeboy/generic-finding-packet-fanout-config/v1.
 */
export function planFindingPackets(data: unknown, path = "the fan-out"): FanOutPlan {
  const parsed = schema.safeParse(data, { reportInput: true });
  if (!parsed.success) {
    const problem = describeIssues(parsed.error.issues).join("; ");
    throw new EngineError("input.invalid", { path, expected: "configuration of finding packets", problem });
  }
  const config: FanOutConfig = parseFanOutConfig(data, path);
  const { packets, policy } = parsed.data;
  const items = packets.flatMap((packet, position) =>
    findingsOf(packet, policy).map((finding, index) => itemOf({ finding, packet }, [position, index], policy)),
  );
  const strategy = (policy.group_key_template ?? "").trim() === "" ? "paths" : "template";
  return planFanOut({
    schema: SCHEMA_IDS.finding_packet_config,
    ...config,
    items,
    groups: undefined,
    group_key_path: "group_key",
    task_request_template: { ...TEMPLATE, ...config.task_request_template },
    summary: {
      packet_count: packets.length,
      finding_count: items.length,
      grouping: { strategy, paths: policy.group_by },
      ...config.summary,
    },
  });
}
