import type { AgentAdapter } from "@switchyard/contracts";
import { test } from "vitest";
import { acme } from "../test/acme.ts";
import type { AdapterDefinition, ForkPerTurnHooks } from "./index.ts";

test("an adapter that misses a part of its contract does not compile [adapter-registry-7]", () => {
  const complete: AgentAdapter = acme.create({});
  const { stopSession: _, ...unstoppable } = complete;

  // @ts-expect-error an adapter that cannot stop a session is none
  const adapter: AgentAdapter = unstoppable;

  // @ts-expect-error what a line means has to be said
  const hooks: ForkPerTurnHooks<undefined> = { start: () => undefined, buildTurn: () => ({ args: [] }) };

  // @ts-expect-error the agent's capabilities have to be declared
  const definition: AdapterDefinition<undefined> = {
    ...{ kind: "x", defaultCommand: "x", credentials: [] },
    readConfig: () => undefined,
    create: () => complete,
  };
  void [adapter, hooks, definition];
});
