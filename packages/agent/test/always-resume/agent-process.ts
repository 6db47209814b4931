// Program that runs the agent under test in a separate process.
import { serveEngines } from "@switchyard/fresh-process/engine-process";
import { type AgentEngineOptions, createProfile, type ProviderProfile } from "../../src/index.ts";
import { AGENTS } from "./agents.ts";

/**
 * Recreates the profile of the test in this process, because the tools and the prompt of an agent must belong to its
 * process.
 */
function ownProfile(profile: ProviderProfile): ProviderProfile {
  const family = createProfile(profile.id, { model: profile.model }).toolRegistry.names();
  const tools = profile.toolRegistry.tools().filter(({ definition: { name } }) => !family.includes(name));
  const providerOptions = Object.values(profile.providerOptions() ?? {})[0];
  return createProfile(profile.id, { ...profile, tools, providerOptions });
}

function withOwnProfile(options: AgentEngineOptions): AgentEngineOptions {
  return { ...options, profile: ownProfile(options.profile) };
}

serveEngines(
  Object.fromEntries(
    Object.entries(AGENTS).map(([name, create]) => [
      name,
      (options: AgentEngineOptions) => create(withOwnProfile(options)),
    ]),
  ),
);
