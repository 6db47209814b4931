import type { RegisteredTool } from "@switchyard/contracts";
import { EngineError, type ToolDefinition } from "@switchyard/contracts";

/** Matches tool names that every provider accepts. */
const TOOL_NAME = /^[\w-]{1,64}$/;

/** Tools of a profile or a session, by name. See loop: ToolRegistry, §3.8. */
export class ToolRegistry {
  readonly #tools = new Map<string, RegisteredTool>();
  #definitions: readonly ToolDefinition[] | undefined;

  /** Creates a registry with the given tools. Throws `config.invalid` like `register`. */
  constructor(tools: Iterable<RegisteredTool> = []) {
    for (const tool of tools) this.register(tool);
  }

  /**
   * Adds a tool, or replaces the tool of the same name. Throws `config.invalid` if the name is not accepted by every
   * provider, or if the schema's root type is not `object`.
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

  /** Removes a tool. Does nothing if the tool is missing. */
  unregister(name: string): void {
    this.#tools.delete(name);
    this.#definitions = undefined;
  }

  /** Returns the tool with a name. `undefined` if there is none. */
  get(name: string): RegisteredTool | undefined {
    return this.#tools.get(name);
  }

  /**
   * Returns the name under which the model sees a tool, which may be a vendor's name. `undefined` if the tool is
   * missing.
   */
  exposedName(ownName: string): string | undefined {
    const tool =
      this.#tools.get(ownName) ??
      Array.from(this.#tools.values()).find(({ canonicalName }) => canonicalName === ownName);
    return tool?.definition.name;
  }

  /**
   * Returns the tool definitions for the model, in order of registration. Returns the same array until the registry
   * changes.
   */
  definitions(): readonly ToolDefinition[] {
    this.#definitions ??= Array.from(this.#tools.values(), (tool) => tool.definition);
    return this.#definitions;
  }

  /** Returns the tool names, in order of registration. */
  names(): readonly string[] {
    return [...this.#tools.keys()];
  }

  /** Returns the tools, in order of registration. */
  tools(): readonly RegisteredTool[] {
    return [...this.#tools.values()];
  }
}
