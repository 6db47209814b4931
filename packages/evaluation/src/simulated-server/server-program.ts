/**
 * Program of a simulated MCP server, in JavaScript. Its argument is JSON in base64: the server's name, and the
 * responses of its tools. Without responses, the server offers the files of its working directory. The text must not
 * contain `$` directly before `{`, because server configurations expand `${NAME}` to the value of a variable.
 */
export const SERVER_PROGRAM = `
const fs = require("node:fs"), path = require("node:path");
const { name, tools } = JSON.parse(Buffer.from(process.argv[1], "base64").toString("utf8"));
const text = (value) => typeof value === "string" ? value : JSON.stringify(value);
const fill = (value, params) => {
  if (Array.isArray(value)) return value.map((item) => fill(item, params));
  if (value !== null && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, params)]));
  if (typeof value !== "string") return value;
  const get = (way) => way.split(".").reduce((found, key) => found?.[key], params);
  const whole = /^\\{\\{\\s*params\\.([\\w.-]+)\\s*\\}\\}$/.exec(value);
  if (whole) return get(whole[1]) ?? "";
  return value.replace(/\\{\\{\\s*params\\.([\\w.-]+)\\s*\\}\\}/g, (_, way) => text(get(way) ?? ""));
};
const root = fs.realpathSync(process.cwd());
const inside = (given) => {
  const full = path.resolve(root, String(given ?? "."));
  let deepest = full;
  while (!fs.existsSync(deepest)) deepest = path.dirname(deepest);
  const way = path.relative(root, fs.realpathSync(deepest));
  if (way === ".." || way.startsWith(".." + path.sep) || path.isAbsolute(way)) throw new Error("path is outside workspace");
  return full;
};
const files = {
  read_file: ({ path: given }) => fs.readFileSync(inside(given), "utf8"),
  write_file: ({ path: given, content }) => {
    const full = inside(given);
    fs.mkdirSync(path.dirname(full), { recursive: true });
    fs.writeFileSync(full, String(content ?? ""));
    return "ok";
  },
  list_directory: ({ path: given }) => fs.readdirSync(inside(given)).join("\\n"),
};
const names = Object.keys(tools ?? files);
const call = (tool, params) => {
  if (!names.includes(tool)) throw new Error("unknown tool " + tool);
  if (tools === undefined) return files[tool](params);
  const given = tools[tool];
  const isMap = given !== null && typeof given === "object" && !Array.isArray(given) && "default" in given;
  return text(fill(isMap ? given.default : given, params));
};
const answer = ({ method, params = {} }) => {
  if (method === "initialize")
    return { protocolVersion: params.protocolVersion ?? "2025-06-18", capabilities: { tools: {} }, serverInfo: { name, version: "1.0.0" } };
  if (method === "tools/list")
    return { tools: names.map((tool) => ({ name: tool, description: "Simulated tool of " + name, inputSchema: { type: "object" } })) };
  if (method === "tools/call") return { content: [{ type: "text", text: call(params.name, params.arguments ?? {}) }] };
  return {};
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  if (line.trim() === "") return;
  const request = JSON.parse(line);
  if (request.id === undefined || request.id === null) return;
  let reply;
  try { reply = { result: answer(request) }; } catch (error) {
    reply = request.method === "tools/call"
      ? { result: { isError: true, content: [{ type: "text", text: error.message }] } }
      : { error: { code: -32603, message: error.message } };
  }
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id: request.id, ...reply }) + "\\n");
});
`;
