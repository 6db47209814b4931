import type { CommandContext } from "../context/command-context.ts";

const SHORT_HELP = `Runs any coding agent, anywhere, behind one contract.

  switchyard demo                        watch an agent fix a test; needs no key
  switchyard run "Fix the failing test"  run a task in this folder
  switchyard run --engine codex "…"      with another agent: claude-code, …
  switchyard resume <run>                continue a run that was stopped
  switchyard undo <run>                  revert the changes of a run
  switchyard runs list                   list the stored runs
  switchyard init                        write a commented switchyard.yaml
  switchyard doctor                      check what this machine offers

Choose a model with --model or SWITCHYARD_MODEL, and set its provider's key, for
example ANTHROPIC_API_KEY. \`switchyard models\` lists models with prices.
All commands: switchyard --help. Options of one: switchyard run --help.
`;

/** Executes `switchyard` without arguments if no interactive session is possible: prints a short help. Resolves with exit code 0. */
export async function startWithoutWords({ stdout }: CommandContext): Promise<number> {
  stdout.write(SHORT_HELP);
  return 0;
}
