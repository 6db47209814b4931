import { randomBytes } from "node:crypto";
import type { LookupAddress } from "node:dns";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { EngineError, type ErrorCode } from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import { startServer } from "../../test/start-server.ts";
import { type GuardedFetchOptions, guardedFetch } from "../index.ts";

async function codeOf(address: string, options: GuardedFetchOptions = {}): Promise<ErrorCode | undefined> {
  const error: unknown = await guardedFetch(address, options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return EngineError.is(error) ? error.code : undefined;
}

const found = (address: string, family = 4): LookupAddress => ({ address, family });

describe("an address", () => {
  test.each([
    "file:///etc/passwd",
    "ftp://example.org/",
    "data:text/plain,hi",
    "javascript:alert(1)",
    "http://user:password@example.org/",
    "http://",
    "example.org",
    "",
    `http://example.org/${"x".repeat(10_000)}`,
  ])("an address that must not be fetched is refused before any request: %s", async (address) => {
    expect(await codeOf(address)).toBe("web.invalid_url");
  });

  test.each([
    "127.0.0.1",
    "localhost",
    "0x7f000001",
    "2130706433",
    "0177.0.0.1",
    "127.1",
    "0",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "127.0.0.1.",
  ])("an address of this machine is refused in every form, and no request is sent: %s", async (host) => {
    await using server = await startServer((_, response) => response.end("secret"));
    const options = { findAddresses: async () => [found("127.0.0.1")] };
    expect(await codeOf(`http://${host}:${server.port}/`, options)).toBe("web.address_refused");
    expect(server.requests).toEqual([]);
  });

  test.each([
    "http://169.254.169.254/latest/meta-data/",
    "http://10.0.0.1/",
    "http://192.168.0.1/",
    "http://[fd00::1]/",
  ])("an address of a private network or a metadata service is refused: %s", async (address) => {
    expect(await codeOf(address)).toBe("web.address_refused");
  });

  test("a host name with one private address among public ones is refused", async () => {
    const findAddresses = async (): Promise<LookupAddress[]> => [found("93.184.216.34"), found("127.0.0.1")];
    expect(await codeOf("http://both.test/", { findAddresses })).toBe("web.address_refused");
  });

  test("a host name is resolved only once, so it cannot become private between two lookups [custom-artifact-url-6]", async () => {
    await using server = await startServer((_, response) => response.end("secret"));
    let lookups = 0;
    const findAddresses = async (): Promise<LookupAddress[]> => {
      lookups += 1;
      return [lookups === 1 ? found("127.0.0.1") : found("93.184.216.34")];
    };
    expect(await codeOf(`http://rebinding.test:${server.port}/`, { findAddresses })).toBe("web.address_refused");
    expect(lookups).toBe(1);
    expect(server.requests).toEqual([]);
  });

  test("a single private origin can be allowed, without other ports of its host", async () => {
    await using server = await startServer((_, response) => response.end("fine"));
    await using other = await startServer((_, response) => response.end("secret"));
    const allowedOrigins = [server.origin];
    expect(Buffer.from((await guardedFetch(`${server.origin}/a`, { allowedOrigins })).bytes).toString()).toBe("fine");
    expect(await codeOf(`${other.origin}/a`, { allowedOrigins })).toBe("web.address_refused");
    expect(other.requests).toEqual([]);
  });
});

describe("a request", () => {
  test("a request is a GET without credentials and cookies, even after a redirect that sets a cookie", async () => {
    await using server = await startServer((request, response) => {
      if (request.url === "/start") response.writeHead(302, { location: "/end", "set-cookie": "a=b" }).end("moved");
      else response.end("done");
    });
    const response = await guardedFetch(`${server.origin}/start#part`, { allowedOrigins: [server.origin] });
    expect(response).toMatchObject({ url: `${server.origin}/end`, status: 200, truncated: false });
    for (const { method, headers } of server.requests) {
      expect(method).toBe("GET");
      expect(Object.keys(headers).sort()).toEqual(["accept", "accept-encoding", "connection", "host", "user-agent"]);
    }
  });

  test("a redirect to a refused address is not followed", async () => {
    await using secret = await startServer((_, response) => response.end("secret"));
    const targets = [`${secret.origin}/x`, `//127.0.0.1:${secret.port}/`, "http://169.254.169.254/"];
    for (const location of targets) {
      await using server = await startServer((_, response) => response.writeHead(302, { location }).end());
      expect(await codeOf(server.origin, { allowedOrigins: [server.origin] })).toBe("web.address_refused");
    }
    for (const location of ["file:///etc/passwd", "http://a:b@example.org/", "gopher://example.org/"]) {
      await using server = await startServer((_, response) => response.writeHead(307, { location }).end());
      expect(await codeOf(server.origin, { allowedOrigins: [server.origin] })).toBe("web.invalid_url");
    }
    expect(secret.requests).toEqual([]);
  });

  test("an endless chain of redirects ends with an error", async () => {
    await using server = await startServer((_, response) => response.writeHead(302, { location: "/again" }).end());
    const options = { allowedOrigins: [server.origin], maxRedirects: 3 };
    expect(await codeOf(server.origin, options)).toBe("web.too_many_redirects");
    expect(server.requests).toHaveLength(4);
  });

  test.each(["headers", "body"])("a request whose %s never arrive ends at its time limit", async (missing) => {
    await using server = await startServer((_, response) => {
      if (missing === "body") response.write("begin");
    });
    expect(await codeOf(server.origin, { allowedOrigins: [server.origin], timeoutMs: 100 })).toBe("web.timeout");
  });

  test("an aborted request rejects with the reason of the caller", async () => {
    await using server = await startServer(() => {});
    const stop = new AbortController();
    const fetched = guardedFetch(server.origin, { allowedOrigins: [server.origin], signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(fetched).rejects.toThrow("enough");
  });

  test("a request without a response is an error with the cause", async () => {
    const server = await startServer(() => {});
    await server[Symbol.asyncDispose]();
    expect(await codeOf(server.origin, { allowedOrigins: [server.origin] })).toBe("web.failed");
  });
});

describe("a body", () => {
  const text = "text ".repeat(1_000);

  test.each([
    { encoding: "gzip", pack: gzipSync },
    { encoding: "deflate", pack: deflateSync },
    { encoding: "br", pack: brotliCompressSync },
    { encoding: "identity", pack: (bytes: Buffer): Buffer => bytes },
    { encoding: "gzip, br", pack: (bytes: Buffer): Buffer => brotliCompressSync(gzipSync(bytes)) },
  ])("is unpacked: $encoding", async ({ encoding, pack }) => {
    const packed = pack(Buffer.from(text));
    await using server = await startServer((_, response) =>
      response.writeHead(200, { "content-encoding": encoding }).end(packed),
    );
    const response = await guardedFetch(server.origin, { allowedOrigins: [server.origin] });
    expect(Buffer.from(response.bytes).toString()).toBe(text);
  });

  test("a body that decompresses to a hundred megabytes is read only up to the limit", async () => {
    const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024));
    await using server = await startServer((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
    );
    const options = { allowedOrigins: [server.origin], maxBytes: 1_000 };
    const response = await guardedFetch(server.origin, options);
    expect(response).toMatchObject({ truncated: true });
    expect(response.bytes).toHaveLength(1_000);
    expect(await codeOf(server.origin, { ...options, whenTooLarge: "fail" })).toBe("web.too_large");
  });

  test("an endless body is read only up to the limit", async () => {
    const chunk = randomBytes(64 * 1024);
    await using server = await startServer((_, response) => {
      const send = (): void => void response.write(chunk, () => setImmediate(send));
      send();
      response.on("error", () => {});
    });
    const response = await guardedFetch(server.origin, { allowedOrigins: [server.origin], maxBytes: 100_000 });
    expect(response.bytes).toHaveLength(100_000);
  });

  test.each(["gzip, gzip, gzip", "zstd", "nonsense"])(
    "a body with an unrequested encoding is an error: %s",
    async (encoding) => {
      await using server = await startServer((_, response) =>
        response.writeHead(200, { "content-encoding": encoding }).end("xx"),
      );
      expect(await codeOf(server.origin, { allowedOrigins: [server.origin] })).toBe("web.failed");
    },
  );

  test.each(["damaged", "cut off"])("that is %s is an error", async (kind) => {
    const packed = kind === "damaged" ? Buffer.from("no gzip at all") : gzipSync(randomBytes(1_000)).subarray(0, 500);
    await using server = await startServer((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(packed),
    );
    expect(await codeOf(server.origin, { allowedOrigins: [server.origin] })).toBe("web.failed");
  });
});
