import { createAgentEngine, createAnthropicProfile, type SessionConfig } from "../src/index.ts";
import { type FamilyClientOptions, familyClient } from "./family-client.ts";
import { essenceOfRun, type PlayedRun, playRun } from "./killable-world.ts";

/** What the agents of a family say, by what each was first asked; the agent at the root is asked "go". */
export interface FamilyScript {
  readonly scripts: FamilyClientOptions["scripts"];
  readonly config?: Partial<SessionConfig>;
}

/** Plays a script in as many processes as it takes: each is killed at its moment of `kills` (1-based). */
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

/** Everything of a run that must not depend on whether it was cut off; agents act in any order. promise D9. */
export function essenceOfFamily(played: PlayedRun): unknown {
  return essenceOfRun(played, { files: [...played.files].sort(), ledger: [...played.ledger].sort() });
}
