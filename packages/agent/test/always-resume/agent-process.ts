// The process of an agent under test.
import { serveEngines } from "@switchyard/fresh-process/engine-process";
import { type AgentEngineOptions, createAgentEngine, createProfile, type ProviderProfile } from "../../src/index.ts";

/** The profile that the test made, made here: its tools and its prompt are the agent's own and belong to its process. */
function ownProfile(profile: ProviderProfile): ProviderProfile {
  const family = createProfile(profile.id, { model: profile.model }).toolRegistry.names();
  const tools = profile.toolRegistry.tools().filter(({ definition: { name } }) => !family.includes(name));
  const providerOptions = Object.values(profile.providerOptions() ?? {})[0];
  return createProfile(profile.id, { ...profile, tools, providerOptions });
}

serveEngines({
  agent: (options: AgentEngineOptions) => createAgentEngine({ ...options, profile: ownProfile(options.profile) }),
});
