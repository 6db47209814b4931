// @ts-check

/** @import { Target } from "./figure/figure.mjs" */

/**
 * Targets of the documented paths: each is a limit of a ratio within one run. `what` completes the sentence "The target
 * limits …".
 * @type {Readonly<Record<string, { atMost: number, what: string }>>}
 */
export const TARGETS = {
  "round-100": { atMost: 0.6, what: "CPU of a round of a session with 100 rounds, compared with pi-agent-core" },
  "round-1000": { atMost: 0.5, what: "CPU of a round of a session with 1,000 rounds, compared with pi-agent-core" },
  "round-3000": { atMost: 0.5, what: "CPU of a round of a session with 3,000 rounds, compared with pi-agent-core" },
  "round-flat": { atMost: 1.2, what: "CPU of a round of a session with 3,000 rounds, compared with 100 rounds" },
  delta: { atMost: 0.7, what: "CPU of a streamed increment of a response, compared with pi-agent-core" },
  "sessions-cpu": { atMost: 0.7, what: "CPU of 500 sessions with separate tools, compared with pi-agent-core" },
  "sessions-memory": { atMost: 0.75, what: "memory of 500 sessions with separate tools, compared with pi-agent-core" },
  "run-1000": {
    atMost: 1,
    what: "CPU of a round of a run with 1,000 rounds in a file store, without its two flushes, compared with pi-agent-core",
  },
  "run-3000": {
    atMost: 1,
    what: "CPU of a round of a run with 3,000 rounds in a file store, without its two flushes, compared with pi-agent-core",
  },
  "run-flat": {
    atMost: 1.2,
    what: "CPU of the rounds 1,001 to 3,000 of a run in a file store, compared with the rounds 101 to 1,000",
  },
  "command-pi": { atMost: 0.7, what: "CPU of a round with a command in the CLI, compared with pi" },
  "command-bare": {
    atMost: 1,
    what: "CPU of a round with a command in the CLI, compared with a request by the AI SDK and a spawn",
  },
  "turn-time": { atMost: 0.6, what: "time of one turn of the CLI, compared with codex" },
  "turn-cpu": { atMost: 0.6, what: "CPU of one turn of the CLI, compared with codex" },
  "version-time": { atMost: 1.2, what: "time of `switchyard --version`, compared with `node -e 0`" },
  "version-cpu": { atMost: 1.2, what: "CPU of `switchyard --version`, compared with `node -e 0`" },
};

/**
 * Returns the target with an id, for a figure.
 * @param {string} id
 * @returns {Target}
 */
export function targetOf(id) {
  const found = TARGETS[id];
  if (found === undefined) throw new Error(`There is no target ${id}.`);
  return { id, atMost: found.atMost };
}
