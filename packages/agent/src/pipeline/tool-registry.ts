import type { RegisteredTool } from "@switchyard/contracts";
import { EngineError, type ToolDefinition } from "@switchyard/contracts";

/** What every provider takes for the name of a tool. */
const TOOL_NAME = /^[\w-]{1,64}$/;

/** The tools of a profile or a session, by name. loop: ToolRegistry, §3.8. */
export class ToolRegistry {
  readonly #tools = new Map<string, RegisteredTool>();
  #definitions: readonly ToolDefinition[] | undefined;

  /** Makes a registry of these tools. Throws `config.invalid` like `register`. */
  constructor(tools: Iterable<RegisteredTool> = []) {
    for (const tool of tools) this.register(tool);
  }

  /**
   * Adds a tool; one of the same name is replaced. Throws `config.invalid` when its
   * name is none that every provider takes, or its schema is none of an object.
   */
  register(tool: RegisteredTool): void {
    const { name, parameters } = tool.definition;
    if (!TOOL_NAME.test(name)) {
      const problem = "a name is 1 to 64 letters, digits, _ and -";
      throw new EngineError("config.invalid", { field: `tool ${JSON.stringify(name)}`, problem });
    }
    if (parameters["type"] !== "object") {
      const problem = 'the root of its schema must have "type": "object"';
      throw new EngineError("config.invalid", { field: `tool ${name}`, problem });
    }
    this.#tools.set(name, tool);
    this.#definitions = undefined;
  }

  /** Removes a tool; a missing one is ignored. */
  unregister(name: string): void {
    this.#tools.delete(name);
    this.#definitions = undefined;
  }

  /** The tool of a name. */
  get(name: string): RegisteredTool | undefined {
    return this.#tools.get(name);
  }

  /** What the model calls the tool of this name, be it the same or a vendor's; nothing when it is not there. */
  exposedName(ownName: string): string | undefined {
    const tool =
      this.#tools.get(ownName) ??
      Array.from(this.#tools.values()).find(({ canonicalName }) => canonicalName === ownName);
    return tool?.definition.name;
  }

  /** What the model is told about the tools, in the order of registration; the same array until something changes. */
  definitions(): readonly ToolDefinition[] {
    this.#definitions ??= Array.from(this.#tools.values(), (tool) => tool.definition);
    return this.#definitions;
  }

  /** The names, in the order of registration. */
  names(): readonly string[] {
    return [...this.#tools.keys()];
  }

  /** The tools, in the order of registration. */
  tools(): readonly RegisteredTool[] {
    return [...this.#tools.values()];
  }
}
