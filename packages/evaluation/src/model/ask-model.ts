import type { Client } from "@switchyard/contracts";
import type { TrialUsage } from "../results/trial-result.ts";
import { toTrialUsage } from "../results/usage.ts";

/** A prompt for a model that judges or plays the simulated user. */
export interface EvalPrompt {
  /** Instructions. They contain no text that an engine wrote. */
  readonly instructions: string;
  /** The question. Text that an engine wrote occurs in it only inside JSON strings. */
  readonly question: string;
}

/** Response of a model. */
export interface EvalAnswer {
  /** The response. */
  readonly text: string;
  /** Tokens and cost of the call. */
  readonly usage: TrialUsage;
}

/** Function that sends a prompt to a model. Contract: rejects if there is no response. */
export type AskModel = (prompt: EvalPrompt, signal: AbortSignal) => Promise<EvalAnswer>;

/** A model and the client that calls it. */
export interface ModelAskerOptions {
  /** Client for the model's API. Must already retry failed requests. */
  readonly client: Client;
  /** Name of a provider configured in the client. `undefined` for the client's default provider. */
  readonly provider?: string | undefined;
  /** Model id of the provider, without the provider's name. */
  readonly model: string;
}

/** Creates a function that sends prompts to a model. It rejects with `llm.*` if the request fails. */
export function createModelAsker({ client, provider, model }: ModelAskerOptions): AskModel {
  return async ({ instructions, question }, signal) => {
    const { generate } = await import("@switchyard/llm");
    const { text, usage } = await generate(client, { provider, model, signal, system: instructions, prompt: question });
    return { text, usage: toTrialUsage(usage) };
  };
}

/** Wraps a model so that the usage of each call is reported, even if the response cannot be used. */
export function reportingUsage(ask: AskModel, onUsed: (usage: TrialUsage) => void): AskModel {
  return async (prompt, signal) => {
    const answer = await ask(prompt, signal);
    onUsed(answer.usage);
    return answer;
  };
}
