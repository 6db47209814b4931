import type { ExecutionEnvironment } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import type { LocalEnvironmentOptions } from "./local/open-local-environment.ts";

/** Where an environment is and how it is opened. */
export type EnvironmentConfig = { readonly type: "local" } & LocalEnvironmentOptions;

/**
 * Opens the environment that a configuration describes. Throws `config.invalid` for a type that is not known, and what
 * opening that type throws. loop: §4.
 */
export async function openEnvironment(config: EnvironmentConfig): Promise<ExecutionEnvironment> {
  switch (config.type) {
    case "local": {
      const { openLocalEnvironment } = await import("./local/open-local-environment.ts");
      return openLocalEnvironment(config);
    }
    default:
      throw new EngineError("config.invalid", { field: "environment.type", problem: "it is not one of: local" });
  }
}
