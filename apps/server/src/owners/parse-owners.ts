import { EngineError } from "@switchyard/contracts";
import { z } from "zod";
import type { OwnerQuota } from "../scheduler/owner-quota.ts";

const count = z.number().int().min(0);

const quotaSchema = z.strictObject({
  weight: z.number().positive().max(1_000).optional(),
  max_running: count.optional(),
  max_starts_per_day: count.optional(),
  max_queued: count.optional(),
});

const ownersSchema = z.strictObject({
  default: quotaSchema.optional(),
  owners: z.record(z.string().min(1), quotaSchema).optional(),
});

/** Quotas that a file configures: by the name of the owner, and for owners that the file does not name. */
export interface OwnerQuotas {
  /** Quota of owners that are not in `owners`. */
  readonly standard: OwnerQuota;
  /** Quotas by the name of the owner. */
  readonly owners: ReadonlyMap<string, OwnerQuota>;
}

/**
 * Parses the content of an owners file, a mapping with the fields `default` and `owners`. Fields that a quota leaves out
 * are taken from `default`. `path` names the file in errors. Throws `config.invalid`.
 */
export function parseOwners(document: unknown, path: string): OwnerQuotas {
  const parsed = ownersSchema.safeParse(document);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue === undefined || issue.path.length === 0 ? "the document" : issue.path.map(String).join(".");
    const problem = `${field}: ${issue?.message ?? "it is invalid"}`;
    throw new EngineError("config.invalid", { field: path, problem });
  }
  const standard = toQuota(parsed.data.default ?? {});
  const named = Object.entries(parsed.data.owners ?? {});
  return { standard, owners: new Map(named.map(([owner, quota]) => [owner, { ...standard, ...toQuota(quota) }])) };
}

function toQuota({ weight, max_running, max_starts_per_day, max_queued }: z.infer<typeof quotaSchema>): OwnerQuota {
  return {
    ...(weight === undefined ? {} : { weight }),
    ...(max_running === undefined ? {} : { maxRunning: max_running }),
    ...(max_starts_per_day === undefined ? {} : { maxStartsPerDay: max_starts_per_day }),
    ...(max_queued === undefined ? {} : { maxQueued: max_queued }),
  };
}
