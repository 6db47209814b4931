import type { ModelInfo } from "./model-info.ts";

type Row = readonly [
  id: string,
  displayName: string,
  limits: readonly [contextWindow: number, maxOutput: number],
  knowledgeCutoff?: string,
];

const MILLION = 1_000_000;

/** The vendors' published limits. The newest of a family comes first. */
const OPENAI: readonly Row[] = [
  ["gpt-6.2-sol", "GPT-6.2 Sol", [1_050_000, 128_000], "2026-06"],
  ["gpt-6.1-sol", "GPT-6.1 Sol", [1_050_000, 128_000]],
  ["gpt-6-sol", "GPT-6 Sol", [1_050_000, 128_000]],
  ["gpt-5.6-sol", "GPT-5.6 Sol", [1_050_000, 128_000]],
  ["gpt-5.2", "GPT-5.2", [400_000, 128_000], "2025-08"],
  ["gpt-5.2-codex", "GPT-5.2 Codex", [400_000, 128_000], "2025-08"],
  ["gpt-5.1", "GPT-5.1", [400_000, 128_000], "2024-09"],
  ["gpt-5.1-codex", "GPT-5.1 Codex", [400_000, 128_000], "2024-09"],
  ["gpt-5", "GPT-5", [400_000, 128_000], "2024-09"],
  ["gpt-5-codex", "GPT-5 Codex", [400_000, 128_000], "2024-09"],
  ["gpt-5-mini", "GPT-5 mini", [400_000, 128_000], "2024-05"],
  ["gpt-5-nano", "GPT-5 nano", [400_000, 128_000], "2024-05"],
  ["o3", "o3", [200_000, 100_000], "2024-06"],
  ["o4-mini", "o4-mini", [200_000, 100_000], "2024-06"],
];

/** OpenAI's models that answer at once. */
const OPENAI_DIRECT: readonly Row[] = [
  ["gpt-4.1", "GPT-4.1", [1_047_576, 32_768], "2024-06"],
  ["gpt-4.1-mini", "GPT-4.1 mini", [1_047_576, 32_768], "2024-06"],
  ["gpt-4.1-nano", "GPT-4.1 nano", [1_047_576, 32_768], "2024-06"],
  ["gpt-4o", "GPT-4o", [128_000, 16_384], "2023-10"],
  ["gpt-4o-mini", "GPT-4o mini", [128_000, 16_384], "2023-10"],
];

const ANTHROPIC: readonly Row[] = [
  ["claude-fable-5-1", "Claude Fable 5.1", [MILLION, 128_000], "2026-06"],
  ["claude-opus-5-5", "Claude Opus 5.5", [MILLION, 128_000]],
  ["claude-opus-5", "Claude Opus 5", [MILLION, 128_000]],
  ["claude-sonnet-5", "Claude Sonnet 5", [MILLION, 128_000]],
  ["claude-opus-4-5", "Claude Opus 4.5", [200_000, 64_000], "2025-05"],
  ["claude-sonnet-4-5", "Claude Sonnet 4.5", [200_000, 64_000], "2025-01"],
  ["claude-haiku-4-5", "Claude Haiku 4.5", [200_000, 64_000], "2025-02"],
  ["claude-opus-4-1", "Claude Opus 4.1", [200_000, 32_000], "2025-01"],
];

const GEMINI: readonly Row[] = [
  ["gemini-4-argon", "Gemini 4 Argon", [1_048_576, 65_536]],
  ["gemini-3.1-pro-preview", "Gemini 3.1 Pro", [1_048_576, 65_536], "2025-01"],
  ["gemini-3-pro-preview", "Gemini 3 Pro", [1_048_576, 65_536], "2025-01"],
  ["gemini-3-flash-preview", "Gemini 3 Flash", [1_048_576, 65_536], "2025-01"],
  ["gemini-2.5-pro", "Gemini 2.5 Pro", [1_048_576, 65_536], "2025-01"],
  ["gemini-2.5-flash", "Gemini 2.5 Flash", [1_048_576, 65_536], "2025-01"],
  ["gemini-2.5-flash-lite", "Gemini 2.5 Flash-Lite", [1_048_576, 65_536], "2025-01"],
];

function toInfo(provider: ModelInfo["provider"], reasoning: boolean): (row: Row) => ModelInfo {
  return ([id, displayName, [contextWindow, maxOutput], knowledgeCutoff]) => {
    const info: ModelInfo = {
      id,
      provider,
      displayName,
      contextWindow,
      maxOutput,
      reasoning,
      tools: true,
      vision: true,
    };
    if (knowledgeCutoff !== undefined) info.knowledgeCutoff = knowledgeCutoff;
    return info;
  };
}

/** The models that are known; others work all the same. Prices are not in it yet. */
export const MODEL_CATALOG: readonly ModelInfo[] = [
  ...OPENAI.map(toInfo("openai", true)),
  ...OPENAI_DIRECT.map(toInfo("openai", false)),
  ...ANTHROPIC.map(toInfo("anthropic", true)),
  ...GEMINI.map(toInfo("gemini", true)),
];
