import type { RegisteredTool, ToolEffects, ToolExecutor } from "@switchyard/contracts";
import { type EventType, type ModelRequest, textOf } from "@switchyard/contracts";
import { type ScriptedClient, type ScriptStep, scriptedClient } from "@switchyard/testkit";
import { createAnthropicProfile, Session, type SessionEvent, type SessionOptions } from "../src/index.ts";
import type { Workspace } from "./open-workspace.ts";

/** Collects all events of an iteration. */
export async function collect(events: AsyncIterable<SessionEvent>): Promise<SessionEvent[]> {
  const collected: SessionEvent[] = [];
  for await (const event of events) collected.push(event);
  return collected;
}

function dataIn<E extends SessionEvent>(event: E): E["data"] {
  return event.data;
}

type EventOf<T extends EventType> = Extract<SessionEvent, { type: T }>;

/** Returns the data of all events of one type. */
export function dataOf<T extends EventType>(events: readonly SessionEvent[], type: T): EventOf<T>["data"][] {
  return events.filter((event): event is EventOf<T> => event.type === type).map(dataIn);
}

/** Returns the types of events, without text increments. */
export function typesOf(events: readonly SessionEvent[]): EventType[] {
  return events.map((event) => event.type).filter((type) => type !== "assistant_text_delta");
}

/** Creates a tool without parameters. */
export function tool(name: string, execute: ToolExecutor): RegisteredTool {
  return { definition: { name, description: name, parameters: { type: "object" } }, execute };
}

/** Creates a tool that counts its calls. The output is the tool's name and the number of the call. */
export function counting(name: string, effects?: ToolEffects): RegisteredTool & { readonly calls: number } {
  let calls = 0;
  const execute = (): string => {
    calls += 1;
    return `${name} ${calls}`;
  };
  return {
    ...tool(name, execute),
    effects,
    get calls() {
      return calls;
    },
  };
}

/** Appends an entry to a list and returns an empty tool output. */
export function note<T>(list: T[], entry: T): string {
  list.push(entry);
  return "";
}

/** Returns a promise and the function that resolves it. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Options for a session under test. Default: a Claude profile and the tool `echo`. */
export interface Setup extends Partial<SessionOptions> {
  readonly steps: readonly ScriptStep[];
}

/** Creates a session with a scripted model. */
export function createSession(
  workspace: Workspace,
  { steps, ...options }: Setup,
): { session: Session; client: ScriptedClient } {
  const client = scriptedClient(steps);
  const session = new Session({
    profile: createAnthropicProfile({ model: "claude" }),
    environment: workspace.environment,
    client,
    tools: [tool("echo", () => "echoed")],
    ...options,
  });
  return { session, client };
}

/** Returns the texts of all messages of a role in a request. */
export function textsOf(request: ModelRequest | undefined, role: string): string[] {
  return (request?.messages ?? []).filter((message) => message.role === role).map(textOf);
}
