import assert from "node:assert/strict";
import type { ReceivedRequest } from "./engine-behaviour.ts";

/** One part of a multipart body. */
export interface FormPart {
  readonly name: string;
  readonly filename: string;
  readonly content: Buffer;
}

/** Parses the parts of a request strictly. Fails if the format is violated. */
export function partsOf({ headers, body }: ReceivedRequest): FormPart[] {
  const boundary = /boundary="?([^";]+)"?/.exec(headers["content-type"] ?? "")?.[1];
  if (boundary === undefined) assert.fail(`The request is not multipart: ${headers["content-type"]}`);
  const bytes = Buffer.from(body);
  const marker = Buffer.from(`\r\n--${boundary}`);
  const parts: FormPart[] = [];
  // No line ending precedes the first boundary of the form.
  let position = marker.length - 2;
  assert.equal(
    bytes.subarray(0, position).toString("latin1"),
    `--${boundary}`,
    "the body does not begin with a boundary",
  );
  while (bytes.subarray(position, position + 2).toString("latin1") === "\r\n") {
    const end = bytes.indexOf(marker, position);
    assert.ok(end >= 0, "a part does not end with a boundary");
    parts.push(toPart(bytes.subarray(position + 2, end)));
    position = end + marker.length;
  }
  assert.match(bytes.subarray(position).toString("latin1"), /^--(\r\n)?$/, "the body does not end with its boundary");
  return parts;
}

function toPart(bytes: Buffer): FormPart {
  const split = bytes.indexOf("\r\n\r\n");
  assert.ok(split >= 0, "a part has no headers");
  const head = bytes.subarray(0, split).toString("utf8");
  const value = (key: string): string => new RegExp(`[ ;]${key}="([^"]*)"`).exec(head)?.[1] ?? "";
  return { name: value("name"), filename: value("filename"), content: bytes.subarray(split + 4) };
}
