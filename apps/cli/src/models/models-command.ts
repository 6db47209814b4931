import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";
import type { ModelsOptions } from "./models-options.ts";

const EPILOGUE = `
Prices are list prices in US dollars per million tokens, with the date they were checked. * marks the default model of a
provider. If a provider's key is set, its API is asked for more models (GET /models); otherwise only known models are listed.

Examples:
  switchyard models
  switchyard models anthropic --json
  switchyard models ollama
  switchyard models openai-compatible --base-url http://127.0.0.1:8080/v1`;

/** Adds the command `models`. */
export function addModelsCommand(program: Command, select: Select): void {
  program
    .command("models")
    .description("List known models with limits and prices, and the models of each provider's API.")
    .argument("[provider]", "provider such as anthropic, openai, gemini, openrouter or ollama (default: all)")
    .option("--json", "print JSON")
    .option("--base-url <url>", "base URL of the provider's API, version prefix included")
    .option("--no-offers", "contact no provider; list only known models")
    .addHelpText("after", EPILOGUE)
    .action((provider: string | undefined, options: ModelsOptions) => {
      select(async (context) =>
        (await import("./print-models.ts")).printModels(context, {
          ...options,
          ...(provider === undefined ? {} : { provider }),
        }),
      );
    });
}
