import { STATUS_CODES } from "node:http";
import { z } from "zod";
import { ACCESS } from "./access-table.ts";
import { API_SCHEMAS, type ApiResponse, type DescribedOperation, OPERATIONS, OTHER_OPERATIONS } from "./operations.ts";

const SCHEMAS = "#/components/schemas/";

/** JSON object within the OpenAPI document. */
type Part = Readonly<Record<string, unknown>>;

/** Returns the server's OpenAPI 3.1 description, built from the schemas and operations of the routes. */
export function openApiDocument(version: string): Readonly<Record<string, unknown>> {
  const paths: Record<string, Record<string, Part>> = {};
  for (const operation of [...OPERATIONS, ...OTHER_OPERATIONS]) {
    const path = paths[operation.path] ?? {};
    paths[operation.path] = { ...path, [operation.method.toLowerCase()]: toOperation(operation) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Switchyard", version, description: "Runs of an engine, over HTTP." },
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: toSchemas(),
    },
  };
}

/**
 * Returns the JSON Schemas of request and response bodies. Responses may have additional properties, because clients
 * tolerate them; request bodies may not.
 */
function toSchemas(): Part {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(API_SCHEMAS)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io: "input", uri: (id) => `${SCHEMAS}${id}` });
  return Object.fromEntries(Object.entries(schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema]));
}

function refusalsOfToken({ id }: DescribedOperation): readonly number[] {
  return ACCESS[id] === "everyone" ? [] : [401, 403, 429];
}

/** Returns the security requirement of an operation. Some operations, such as health probes, need no token. */
function securityOf({ id }: DescribedOperation): Part {
  const roles = ACCESS[id];
  if (roles === "everyone") return { security: [] };
  const names = roles.map((role) => `\`${role}\``).join(", ");
  return { description: `Needs one of the roles ${names}.`, security: roles.map((role) => ({ token: [role] })) };
}

function toOperation(operation: DescribedOperation): Part {
  const { id, description, parameters, body, takesFiles, answers, refusals } = operation;
  const responses: Record<string, Part> = {};
  for (const [status, answer] of Object.entries(answers)) responses[status] = toResponse(answer);
  for (const status of [...refusalsOfToken(operation), ...refusals]) responses[status] = toRefusal(status);
  return {
    operationId: id,
    summary: description,
    ...securityOf(operation),
    parameters: parameters.map((parameter) => ({
      ...{ name: parameter.name, in: parameter.in, description: parameter.description },
      ...{ required: parameter.in === "path", schema: { type: "string" } },
    })),
    ...(body === undefined ? {} : { requestBody: toBody(body, takesFiles === true) }),
    responses,
  };
}

function toBody(schema: string, takesFiles: boolean): Part {
  const form = {
    type: "object",
    required: ["payload"],
    properties: {
      payload: { type: "string", contentMediaType: "application/json", contentSchema: { $ref: SCHEMAS + schema } },
      files: { type: "array", items: { type: "string", contentMediaType: "application/octet-stream" } },
    },
  };
  return {
    content: {
      "application/json": { schema: { $ref: SCHEMAS + schema } },
      ...(takesFiles ? { "multipart/form-data": { schema: form } } : {}),
    },
  };
}

function toResponse(answer: ApiResponse): Part {
  const { description } = answer;
  if ("isEmpty" in answer) return { description };
  if ("mediaType" in answer) return { description, content: { [answer.mediaType]: { schema: { type: "string" } } } };
  return { description, content: { "application/json": { schema: { $ref: SCHEMAS + answer.schema } } } };
}

function toRefusal(status: number): Part {
  const description = STATUS_CODES[status] ?? "Refused";
  return { description, content: { "application/problem+json": { schema: { $ref: `${SCHEMAS}Problem` } } } };
}
