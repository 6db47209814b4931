import { EngineError } from "@switchyard/contracts";

/** Model of a live demo by the variable with its provider's key; the first that is set counts. */
const MODELS: readonly (readonly [variable: string, model: string])[] = [
  ["ANTHROPIC_API_KEY", "anthropic/claude-sonnet-4-5"],
  ["OPENAI_API_KEY", "openai/gpt-5.2"],
  ["GEMINI_API_KEY", "gemini/gemini-3-pro-preview"],
  ["GOOGLE_API_KEY", "gemini/gemini-3-pro-preview"],
];

/** The model of a live demo: the one asked for, or one whose key is set. Throws `model.missing_key`. */
export function chooseLiveModel(env: Readonly<Record<string, string | undefined>>, asked: string | undefined): string {
  if (asked !== undefined) return asked;
  const [, model] = MODELS.find(([variable]) => (env[variable] ?? "").trim() !== "") ?? [];
  if (model !== undefined) return model;
  const variable = "ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY";
  throw new EngineError("model.missing_key", { provider: "the live demo", variable });
}
