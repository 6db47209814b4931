import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { EngineError } from "@switchyard/contracts";
import { type Secret, secret } from "@switchyard/secrets";

/** Maximum number of ended runs whose tokens are still recognised. Tokens of older runs count as unknown. */
const MAX_ENDED = 10_000;

/** Token of one run. */
export interface RunToken {
  /** Value that the engine sends. */
  readonly token: Secret;
  /** Hash of the token. Tokens are stored and compared as hashes. */
  readonly hash: Buffer;
}

/** Recognises the tokens of all runs of a gateway. If the token of another run is sent, an event can name that run. */
export interface RunRegistry {
  /** Creates the token of a new run. */
  add(runId: string): RunToken;
  /** Invalidates the token of a run. */
  end(token: RunToken): void;
  /** Throws `gateway.token_*` if the sent token is not the token of the run, or if the run has ended. */
  assertToken(sent: string, expected: RunToken): void;
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Creates an empty registry. */
export function createRunRegistry(): RunRegistry {
  const open = new Map<string, string>();
  const ended = new Map<string, string>();
  return {
    add(runId) {
      const value = `sw-run-${randomBytes(32).toString("base64url")}`;
      const hash = hashOf(value);
      open.set(hash.toString("hex"), runId);
      return { token: secret(value), hash };
    },
    end({ hash }) {
      const key = hash.toString("hex");
      const runId = open.get(key);
      if (runId === undefined) return;
      open.delete(key);
      ended.set(key, runId);
      for (const oldest of ended.keys()) {
        if (ended.size <= MAX_ENDED) break;
        ended.delete(oldest);
      }
    },
    assertToken(sent, { hash }) {
      const sentHash = hashOf(sent);
      const key = sentHash.toString("hex");
      if (ended.has(key)) throw new EngineError("gateway.token_expired", { tokenOf: ended.get(key) });
      if (!timingSafeEqual(sentHash, hash)) throw new EngineError("gateway.token_unknown", { tokenOf: open.get(key) });
    },
  };
}
