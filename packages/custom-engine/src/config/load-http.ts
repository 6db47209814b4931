import type { BodyTemplate } from "../template/render-body.ts";
import type { TemplateRules } from "../template/resolve-template.ts";
import type { Template } from "../template/template.ts";
import { type ConfigReader, EXPOSED, PRIVATE } from "./config-reader.ts";
import type { HttpConfig, RequestFiles } from "./custom-engine-config.ts";
import type { CustomBlock, HttpBlock, RequestFilesBlock } from "./engine-block.ts";
import { isOutsideRoot } from "./problem-of-path.ts";

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** HTTP headers that the transport sets itself and that a configuration must not set. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  "content-length",
  "transfer-encoding",
  "connection",
  "host",
  "expect",
  "upgrade",
  "keep-alive",
]);
const BODY: TemplateRules = { isExposed: false, mayBeStructure: true };
const MAX_BODY_DEPTH = 64;

/** Loads the configuration of an HTTP service. See custom-engine: HTTP transport. */
export function loadHttp({ http = {} }: CustomBlock, reader: ConfigReader): HttpConfig {
  const { url, method = "POST", headers = {}, files = [], request_body } = http;
  if (url === undefined || url.trim() === "") reader.fail("http.url", " is required when transport is http");
  if (method.toUpperCase() !== "POST") {
    reader.fail("http.method", ` must be POST (got ${JSON.stringify(method.slice(0, 40))})`);
  }
  const address = reader.template("http.url", url ?? "", EXPOSED);
  const problem = problemOfAddress(address);
  if (url !== undefined && problem !== undefined) reader.fail("http.url", `: ${problem}`);
  return {
    transport: "http",
    url: address,
    headers: readHeaders(headers, reader),
    files: files.map((file, index) => readFile(file, index, reader)),
    ...(request_body === undefined
      ? {}
      : { body: readBody(request_body, { field: "http.request_body", depth: 0 }, reader) }),
  };
}

/**
 * Returns the problem of a configured URL without variables. URLs with variables can only be checked during the run.
 */
function problemOfAddress(address: Template): string | undefined {
  const [first] = address;
  if (address.length !== 1 || first?.kind !== "literal") return undefined;
  return problemOfUrl(first.text);
}

/** Returns the problem of a URL, without repeating the URL; `undefined` if it is valid. */
export function problemOfUrl(address: string): string | undefined {
  if (!URL.canParse(address)) return "it is not a valid address; write http://host/path or https://host/path";
  const { protocol, username, password } = new URL(address);
  if (protocol !== "http:" && protocol !== "https:") return "it is not http(s)";
  if (username !== "" || password !== "") return "it contains credentials; put them into engine.custom.http.headers";
  return undefined;
}

function readHeaders(headers: NonNullable<HttpBlock["headers"]>, reader: ConfigReader): HttpConfig["headers"] {
  const seen = new Set<string>();
  return Object.entries(headers).map(([name, value]) => {
    const lower = name.toLowerCase();
    const field = `http.headers.${name}`;
    if (!HEADER_NAME.test(name)) reader.fail(field, " is not the name of a header");
    if (RESERVED_HEADERS.has(lower)) reader.fail(field, " is set by the transport itself; leave it out");
    if (seen.has(lower)) reader.fail(field, " is there twice");
    seen.add(lower);
    const template = reader.template(field, value, PRIVATE);
    if (template.some((token) => token.kind === "literal" && hasForbiddenCharacter(token.text))) {
      reader.fail(field, ": it contains a line break or another control character");
    }
    return [name, template] as const;
  });
}

/** Returns true if a text is not a valid header value: a line break would start another header. */
export function hasForbiddenCharacter(value: string): boolean {
  for (const character of value) {
    const code = character.codePointAt(0) ?? 0;
    if ((code < 32 && code !== 9) || code === 127) return true;
  }
  return false;
}

function readFile(file: RequestFilesBlock, index: number, reader: ConfigReader): RequestFiles {
  const field = `http.files[${index}].path`;
  const unknownNames = ["session_id", "input_file", "output_file", "prompt", "messages_json"];
  const template = reader.template(field, file.path ?? "", { isExposed: true, unknownNames });
  const path = template.map((token) => (token.kind === "literal" ? token.text : "")).join("");
  if (template.some((token) => token.kind === "reference"))
    reader.fail(field, " cannot depend on the run; write a pattern");
  else if (path.trim() === "") reader.fail(field, " is required");
  else if (path.startsWith("/") || path.includes("\\"))
    reader.fail(field, `: "${path}" must be relative to the workspace, with /`);
  else if (path.split("/").includes("..") || isOutsideRoot(path)) reader.fail(field, `: "${path}" must not contain ..`);
  return { path: path.replace(/^(?:\.\/+)+/u, ""), isRequired: file.required ?? true };
}

interface BodyField {
  readonly field: string;
  readonly depth: number;
}

function readBody(value: unknown, { field, depth }: BodyField, reader: ConfigReader): BodyTemplate {
  if (typeof value === "string") return { kind: "text", template: reader.template(field, value, BODY) };
  if (depth > MAX_BODY_DEPTH) {
    reader.fail(field, ` is more than ${MAX_BODY_DEPTH} levels deep`);
    return { kind: "scalar", value: null };
  }
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, index) =>
      readBody(item, { field: `${field}[${index}]`, depth: depth + 1 }, reader),
    );
    return { kind: "list", items };
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(
      ([key, item]: [string, unknown]) =>
        [key, readBody(item, { field: `${field}.${key}`, depth: depth + 1 }, reader)] as const,
    );
    return { kind: "map", entries };
  }
  return { kind: "scalar", value: typeof value === "number" || typeof value === "boolean" ? value : null };
}
