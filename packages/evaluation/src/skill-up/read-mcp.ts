import { readFile } from "node:fs/promises";
import { messageOf } from "@switchyard/contracts";
import { isRecord } from "../files/is-record.ts";
import type { EvalMcpServer } from "../suite/eval-suite.ts";
import { below, type Field, type FieldsByName, fail, isAbsent, readList, readMap, required } from "../suite/field.ts";
import { parseDocument } from "../suite/parse-document.ts";
import { readName, refuseTwins } from "../suite/read-name.ts";
import { readOneOf, readScalar, readScalarMap, readScalars } from "../suite/scalar-fields.ts";
import { readSkillPath, type SkillFolder } from "./skill-folder.ts";

const KNOWN = ["name", "mode", "transport", "command", "args", "endpoint", "config_ref", "headers", "required_env"];
const CONFIG = ["transport", "command", "args", "endpoint", "headers", "required_env", "tool_responses"];

/** MCP servers by name. */
export type McpServersByName = Readonly<Record<string, EvalMcpServer>>;

/** Options for `readMcp`. */
export interface ReadMcpOptions {
  readonly folder: SkillFolder;
  /** True when a case file is read. A case file can only configure mocked servers. */
  readonly isCase: boolean;
}

/** Reads `mcp.servers`. */
export async function readMcp(field: Field, options: ReadMcpOptions): Promise<McpServersByName> {
  const fields = readMap(field, ["servers"]);
  const entries = fields === undefined ? [] : readList(fields("servers"));
  refuseTwins(entries.map((entry) => below(entry, "name", isRecord(entry.value) ? entry.value["name"] : undefined)));
  const servers: [string, EvalMcpServer][] = [];
  for (const entry of entries) {
    const own = readMap(entry, KNOWN);
    const name = own === undefined ? undefined : required(own("name"), readName);
    const server = own === undefined ? undefined : await readServer(own, entry, { ...options, name });
    if (name !== undefined && server !== undefined) servers.push([name, server]);
  }
  return Object.fromEntries(servers);
}

async function readServer(
  own: FieldsByName,
  entry: Field,
  { folder, isCase, name }: ReadMcpOptions & { readonly name: string | undefined },
): Promise<EvalMcpServer | undefined> {
  const mode = required(own("mode"), (one) => readOneOf(one, ["real", "mocked"]));
  if (mode === undefined) return undefined;
  if (isCase && mode !== "mocked") return fail(own("mode"), "must be mocked in a case");
  const path = await readSkillPath(own("config_ref"), folder, "file");
  const config = path === undefined ? undefined : await readConfig(own("config_ref"), path);
  const settings: FieldsByName = (key) => {
    const given = own(key);
    return isAbsent(given) && config !== undefined ? config(key) : given;
  };
  if (mode === "real") return readReal(settings, entry);
  const responses = config?.("tool_responses");
  if (responses !== undefined && !isAbsent(responses)) {
    const { value } = responses;
    return isRecord(value) ? { kind: "mock", tools: value } : fail(responses, "must be a map of tools");
  }
  if (name === "filesystem") return { kind: "mock_filesystem" };
  return fail(own("config_ref"), "must name a file with tool_responses");
}

async function readConfig(field: Field, path: string): Promise<FieldsByName | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    return fail(field, `cannot be read: ${messageOf(error)}`);
  }
  const document = await parseDocument(text);
  if ("problems" in document) return fail(field, `names an invalid file: ${document.problems.join("; ")}`);
  return readMap(below(field, "file", document.value), CONFIG);
}

function readReal(settings: FieldsByName, entry: Field): EvalMcpServer | undefined {
  const [command, endpoint] = [readScalar(settings("command")), readScalar(settings("endpoint"))];
  const transport = readOneOf(settings("transport"), ["http", "stdio"]) ?? (endpoint === undefined ? "stdio" : "http");
  const names = readScalars(settings("required_env"));
  if (transport === "http") {
    if (endpoint === undefined) return fail(entry, "needs endpoint, because its transport is http");
    const headers = Object.entries(readScalarMap(settings("headers"))).map(([name, value]) => [name, reference(value)]);
    return { kind: "real", config: { url: reference(endpoint), headers: Object.fromEntries(headers) } };
  }
  if (command === undefined) return fail(entry, "needs command, because its transport is stdio");
  const args = readScalars(settings("args"));
  const env = Object.fromEntries(names.map((name) => [name, `\${${name}}`]));
  return { kind: "real", config: { command, args, env } };
}

/** Matches a value that consists only of a reference to a variable. */
const WHOLE_REFERENCE = /^\$(?<name>[A-Za-z_]\w*)$/u;

/** Converts a value that consists of `$NAME` to `${NAME}`, the only form that server configurations support. */
function reference(value: string): string {
  const name = WHOLE_REFERENCE.exec(value)?.groups?.["name"];
  return name === undefined ? value : `\${${name}}`;
}
