import { createAgentEngine, createAnthropicProfile, type SessionConfig } from "../src/index.ts";
import { type FamilyClientOptions, familyClient } from "./family-client.ts";
import { essenceOfRun, type PlayedRun, playRun } from "./killable-world.ts";

/**
 * Script of a session with subagents: the responses of each agent, by its first user input. The input of the root agent
 * is `go`.
 */
export interface FamilyScript {
  readonly scripts: FamilyClientOptions["scripts"];
  readonly config?: Partial<SessionConfig>;
}

/**
 * Runs a script with simulated crashes: `kills` contains the 1-based step at which each attempt is killed. Attempts are
 * repeated until one completes.
 */
export function playFamily({ scripts, config }: FamilyScript, kills: readonly number[] = []): Promise<PlayedRun> {
  return playRun(
    {
      isDiskSlow: true,
      labelOf: ({ headers, type }) => `${headers["agent_id"]} ${type}`,
      start: (attempt, tools) => {
        const onCall = (input: string): void => attempt.moment(`model asked by ${input}`);
        return {
          engine: createAgentEngine({
            client: familyClient({ scripts, onCall }),
            profile: createAnthropicProfile({ model: "claude" }),
            tools,
            config: { abortGraceMs: 1, ...config },
          }),
        };
      },
    },
    kills,
  );
}

/**
 * Returns the parts of the result that must be the same with and without crashes. Effects are sorted, because the
 * agents act in any order. promise D9.
 */
export function essenceOfFamily(played: PlayedRun): unknown {
  return essenceOfRun(played, { files: [...played.files].sort(), ledger: [...played.ledger].sort() });
}
