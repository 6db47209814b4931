import { renderTaskContract, taskContract } from "@switchyard/runtimes";
import type { CommandContext } from "../context/command-context.ts";

/**
 * Prints the contract of agent tasks as JSON. Resolves with exit code 0. See agent-runtime-package: host orchestration
 * contract.
 */
export async function printContract({ stdout }: CommandContext, options: { json?: boolean }): Promise<number> {
  if (options.json === true) {
    stdout.write(renderTaskContract());
    return 0;
  }
  const { schema, ...sections } = taskContract();
  stdout.write(`${schema}\n`);
  for (const [name, values] of Object.entries(sections)) {
    stdout.write(`\n${name}\n`);
    for (const [key, value] of Object.entries(values)) stdout.write(`  ${key}: ${shown(value)}\n`);
  }
  return 0;
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
