import type { IncomingMessage } from "node:http";

/** An answer of the server. */
export interface ApiResponse {
  readonly code: number;
  readonly body: object;
}

const REASONS: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  500: "InternalError",
};

/** A failure as the API has it. */
export function failure(code: number, message = "the server could not find the requested resource"): ApiResponse {
  const text = code === 403 ? `${message}: User "tester" is forbidden to do this` : message;
  const reason = REASONS[code] ?? "Unknown";
  return {
    code,
    body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message: text, reason, code },
  };
}

/** A list of pods. */
export function renderList(items: readonly object[]): object {
  return { kind: "PodList", apiVersion: "v1", metadata: {}, items };
}

const PODS = {
  name: "pods",
  singularName: "pod",
  namespaced: true,
  kind: "Pod",
  shortNames: ["po"],
  verbs: ["create", "delete", "get", "list"],
};
const EXEC = {
  name: "pods/exec",
  singularName: "",
  namespaced: true,
  kind: "PodExecOptions",
  verbs: ["create", "get"],
};

/** First request of kubectl: API discovery. */
export function answerDiscovery({ pathname }: URL): ApiResponse | undefined {
  switch (pathname) {
    case "/version":
      return { code: 200, body: { major: "1", minor: "32", gitVersion: "v1.32.0" } };
    case "/api":
      return { code: 200, body: { kind: "APIVersions", versions: ["v1"] } };
    case "/apis":
      return { code: 200, body: { kind: "APIGroupList", apiVersion: "v1", groups: [] } };
    case "/api/v1":
      return { code: 200, body: { kind: "APIResourceList", groupVersion: "v1", resources: [PODS, EXEC] } };
    default:
      return undefined;
  }
}

/** Complete body of a request. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
