import { EngineError } from "@switchyard/contracts";
import { z } from "zod";
import { SCHEMA_IDS } from "../contract/schema-ids.ts";
import { describeIssues } from "../json/describe-issues.ts";
import { valueAt } from "../json/value-at.ts";
import type { OpenFields } from "../task/task-request.ts";
import { type FanOutConfig, parseFanOutConfig } from "./fan-out-config.ts";
import type { FanOutPlan } from "./fan-out-plan.ts";
import { planFanOut } from "./plan-fan-out.ts";

/** How findings are taken out of packets and grouped. */
interface FindingPolicy {
  readonly packet_id_path: string;
  readonly findings_path: string;
  readonly finding_id_path: string;
  /** Dotted paths below `finding` or `packet`. */
  readonly group_by: readonly string[];
  /** Key of findings whose paths lead nowhere. */
  readonly fallback: string;
  /** Whether a task carries the packets as well. */
  readonly include_packet: boolean;
}

interface PacketConfig {
  readonly packets: readonly unknown[];
  readonly policy: FindingPolicy;
}

const policy: z.ZodType<FindingPolicy> = z.object({
  packet_id_path: z.string().default("id"),
  findings_path: z.string().default("findings"),
  finding_id_path: z.string().default("id"),
  group_by: z.array(z.string()).readonly().default(["finding.type", "finding.severity"]),
  fallback: z.string().default("default"),
  include_packet: z.boolean().default(false),
});

const schema: z.ZodType<PacketConfig> = z.looseObject({
  packets: z.array(z.unknown()).readonly(),
  policy: policy.default(policy.parse({})),
});

const TEMPLATE: OpenFields = {
  id: "finding-packet-{{group.key}}",
  packet_ids: "{{group.packet_ids}}",
  finding_count: "{{group.item_count}}",
  inputs: { findings: "{{group.items}}" },
};

function idOf(value: unknown, path: string, fallback: string): string {
  const found = valueAt(value, path);
  return typeof found === "string" || typeof found === "number" ? String(found) : fallback;
}

/** The findings of a packet: a list, diagnostics, or a single one. */
function findingsOf(packet: unknown, { findings_path }: FindingPolicy): readonly unknown[] {
  for (const path of [findings_path, "diagnostics", "finding"]) {
    const found = valueAt(packet, path);
    if (Array.isArray(found)) return found;
    if (found !== undefined && found !== null) return [found];
  }
  return [];
}

function keyOf(scope: { finding: unknown; packet: unknown }, { group_by, fallback }: FindingPolicy): string {
  const words = group_by.flatMap((path) => {
    const value = valueAt(scope, path);
    return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
  });
  return words.length === 0 ? fallback : words.join(":");
}

/**
 * Plans a fan-out over findings: each packet's findings are grouped by type and severity, or as its `policy` says, and
 * each group is a task that names its packets and findings. Everything else of the configuration is as for `planFanOut`.
 * Throws `input.invalid`. agent-runtime-package: homeboy/generic-finding-packet-fanout-config/v1.
 */
export function planFindingPackets(data: unknown, path = "the fan-out"): FanOutPlan {
  const parsed = schema.safeParse(data, { reportInput: true });
  if (!parsed.success) {
    const problem = describeIssues(parsed.error.issues).join("; ");
    throw new EngineError("input.invalid", { path, expected: "configuration of finding packets", problem });
  }
  const config: FanOutConfig = parseFanOutConfig(data, path);
  const { packets, policy: asked } = parsed.data;
  const items = packets.flatMap((packet, place) => {
    const packetId = idOf(packet, asked.packet_id_path, `packet-${place + 1}`);
    return findingsOf(packet, asked).map((finding, index) => {
      const findingId = idOf(finding, asked.finding_id_path, `finding-${index + 1}`);
      const named = { id: `${packetId}:${findingId}`, packet_id: packetId, finding_id: findingId, finding };
      const whole = asked.include_packet ? { packet } : {};
      return { ...named, ...whole, group_key: keyOf({ finding, packet }, asked) };
    });
  });
  const template = { ...TEMPLATE, ...config.task_request_template };
  const summary = { ...config.summary, packet_count: packets.length };
  const planned = planFanOut({
    ...config,
    items,
    groups: undefined,
    group_key_path: "group_key",
    task_request_template: template,
    summary,
  });
  return { ...planned, summary: { ...planned.summary, config_schema: SCHEMA_IDS.finding_packet_config } };
}
