// The process of a custom engine under test.
import { serveEngines } from "@switchyard/fresh-process/engine-process";
import { type CustomEngineConfig, type CustomEngineOptions, createCustomEngine } from "../../src/index.ts";

/** Parts of an engine. */
interface Parts {
  readonly config: CustomEngineConfig;
  readonly options: CustomEngineOptions;
}

serveEngines({ custom: ({ config, options }: Parts) => createCustomEngine(config, options) });
