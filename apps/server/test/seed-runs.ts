import type { RunRecord, RunStatus } from "@switchyard/contracts";
import { createRunId } from "@switchyard/runner";
import { openFileStore } from "@switchyard/stores/file";

const STATUSES: readonly RunStatus[] = ["completed", "completed", "completed", "failed", "timed_out"];
const ENGINES = ["agent", "codex", "opencode"];
const VERBS = ["Fix", "Rename", "Document", "Test", "Speed up"];
const NOUNS = ["the parser", "the login form", "the billing job", "the retry policy", "the search index"];
/** Runs that are written concurrently. */
const AT_A_TIME = 64;

function pick<T>(values: readonly T[], index: number): T {
  const found = values[index % values.length];
  if (found === undefined) throw new Error("There are no values.");
  return found;
}

/** Times of the seeded runs. Default: one every ten minutes from the start of 2026. */
export interface SeedTimes {
  readonly fromMs: number;
  readonly everyMs: number;
}

const TIMES: SeedTimes = { fromMs: Date.parse("2026-01-01T00:00:00Z"), everyMs: 600_000 };

/** Returns the record of the run with an index, newest last. */
export function seededRecord(index: number, { fromMs, everyMs }: SeedTimes = TIMES): RunRecord {
  const startedMs = fromMs + index * everyMs;
  const at = (ms: number): string => new Date(startedMs + ms).toISOString();
  const tokens = 1_000 + ((index * 7_919) % 90_000);
  return {
    ...{ format: 1, run_id: createRunId(startedMs), owner: "local", engine: pick(ENGINES, index), created_by: "test" },
    ...{ model: "anthropic/scripted", title: `${pick(VERBS, index)} ${pick(NOUNS, index >> 2)} of case-${index}` },
    ...{ status: pick(STATUSES, index), attempt: 1 },
    ...{ created_at: at(0), started_at: at(1_000), finished_at: at(1_000 + ((index * 31) % 300) * 1_000) },
    usage: { input_tokens: tokens - 100, output_tokens: 100, total_tokens: tokens, cost_micros: tokens * 3 },
  };
}

/** Writes ended runs into a state folder. */
export async function seedRuns(directory: string, count: number, times: SeedTimes = TIMES): Promise<void> {
  const store = openFileStore({ directory, flush: "background" });
  const write = async (index: number): Promise<void> => {
    const record = seededRecord(index, times);
    const input = { messages: [{ role: "user" as const, content: record.title }] };
    const writer = await store.create(record, { format: 1, input });
    await writer.release();
  };
  for (let from = 0; from < count; from += AT_A_TIME) {
    await Promise.all(Array.from({ length: Math.min(AT_A_TIME, count - from) }, (_, index) => write(from + index)));
  }
  await store.close();
}
