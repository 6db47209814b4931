import { z } from "zod";

/**
 * Rules for extracting findings from packets and for grouping the findings. A finding is a problem that a program, such
 * as a linter, has reported. A packet is a JSON object that contains a list of findings and metadata. See
 * agent-runtime-package: homeboy/generic-finding-packet-fanout-config/v1.
 */
export interface FindingPolicy {
  /**
   * Dotted path of the packet's id, relative to the packet. A packet is a JSON object with a list of findings. Default:
   * `id`.
   */
  readonly packet_id_path: string;
  /** Dotted path of the list of findings, relative to the packet that contains the list. Default: `findings`. */
  readonly findings_path: string;
  /** Dotted path of a finding's id, relative to the finding. Default: `id`. */
  readonly finding_id_path: string;
  /** Dotted paths that start with `finding` or `packet`. Their values, joined by `:`, are the key of a group. */
  readonly group_by: readonly string[];
  /** Template of the group key, with tokens such as `{{packet.source}}`. If set, it is used instead of `group_by`. */
  readonly group_key_template?: string | undefined;
  /** Group key of findings that have no value at any of the paths. Default: `default`. */
  readonly fallback_group_key: string;
  /** True if each finding in a task request includes the packet from which the finding was extracted. Default: true. */
  readonly include_packet: boolean;
}

/** Accepted aliases of the grouping policy's fields. */
const ALIASES: Readonly<Record<string, keyof FindingPolicy>> = {
  packetIdPath: "packet_id_path",
  findingsPath: "findings_path",
  findingIdPath: "finding_id_path",
  groupBy: "group_by",
  group_key_paths: "group_by",
  groupKeyPaths: "group_by",
  groupKeyTemplate: "group_key_template",
  fallbackGroupKey: "fallback_group_key",
  fallback: "fallback_group_key",
  includePacket: "include_packet",
};

const DEFAULT_PATHS = ["finding.type", "finding.severity"];

const fields = z.object({
  packet_id_path: z.string().default("id"),
  findings_path: z.string().default("findings"),
  finding_id_path: z.string().default("id"),
  group_by: z.array(z.string()).readonly().default(DEFAULT_PATHS),
  group_key_template: z.string().optional(),
  fallback_group_key: z.string().default("default"),
  include_packet: z.boolean().default(true),
});

/** Schema of a grouping policy; unknown fields are dropped. */
export const findingPolicySchema: z.ZodType<FindingPolicy> = z
  .preprocess((policy) => {
    if (typeof policy !== "object" || policy === null || Array.isArray(policy)) return policy;
    return Object.fromEntries(Object.entries(policy).map(([name, value]) => [ALIASES[name] ?? name, value]));
  }, fields)
  .transform((policy) => (policy.group_by.length > 0 ? policy : { ...policy, group_by: DEFAULT_PATHS }));
