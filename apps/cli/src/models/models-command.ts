import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";
import type { ModelsOptions } from "./models-options.ts";

const EPILOGUE = `
Prices are list prices in US dollars per million tokens, with the day they were read. * marks the default model of a
provider. Providers whose key is set are asked what they offer (GET /models); without a key only known models are listed.

Examples:
  switchyard models
  switchyard models anthropic --json
  switchyard models ollama
  switchyard models openai-compatible --base-url http://127.0.0.1:8080/v1`;

/** Adds the command `models`. */
export function addModelsCommand(program: Command, select: Select): void {
  program
    .command("models")
    .description("List known models with limits and prices, and what providers offer.")
    .argument("[provider]", "provider such as anthropic, openai, gemini, openrouter or ollama (default: all)")
    .option("--json", "print JSON")
    .option("--base-url <url>", "address of the provider's API, used as it is, version prefix included")
    .option("--no-offers", "ask no provider; list only known models")
    .addHelpText("after", EPILOGUE)
    .action((provider: string | undefined, options: ModelsOptions) => {
      select({
        printsJson: options.json === true,
        execute: async (context) =>
          (await import("./list-models.ts")).listModels(context, {
            ...options,
            ...(provider === undefined ? {} : { provider }),
          }),
      });
    });
}
