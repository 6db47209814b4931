// The process of an agent under test.
import { serveEngines } from "@switchyard/fresh-process/engine-process";
import { type AgentEngineOptions, createProfile, type ProviderProfile } from "../../src/index.ts";
import { AGENTS } from "./agents.ts";

/** The profile that the test made, made here: its tools and its prompt are the agent's own and belong to its process. */
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
