// @ts-check
import { benchSections } from "../figure/bench-sections.mjs";
import { installPeers } from "../figure/install-peers.mjs";
import { measureBurst, measureDeltas } from "./measure-deltas.mjs";
import { measureProfile } from "./measure-profile.mjs";
import { measureRequests } from "./measure-requests.mjs";
import { measureRounds } from "./measure-rounds.mjs";
import { measureSessions } from "./measure-sessions.mjs";

/** @import { BenchOptions } from "../bench.mjs" */
/** @import { Section } from "../figure/bench-sections.mjs" */
/** @import { SectionName } from "../section-names.mjs" */

/** @type {Readonly<Record<SectionName<"loop"> | "profile", Section>>} */
const SECTIONS = {
  rounds: { title: "A round with one tool call", measure: measureRounds },
  deltas: { title: "An increment of a streamed answer, 20,000 of them", measure: measureDeltas },
  burst: { title: "A burst of 20,000 increments for a slow listener", measure: measureBurst },
  sessions: { title: "500 sessions of 20 rounds at the same time", measure: measureSessions },
  requests: {
    title: "A streamed request over loopback HTTP, from the call to its end",
    measure: measureRequests,
  },
  profile: { title: "Parts of a round of a run in a file store, only on request", measure: measureProfile },
};

/**
 * Measures the agent loop, compared with other agent loops, which are installed first.
 * @param {BenchOptions} options
 */
export function benchLoop(options) {
  installPeers("peers", "the agent loops to compare with, about 230 MB,");
  const names = options.names.length > 0 ? options.names : Object.keys(SECTIONS).filter((name) => name !== "profile");
  return benchSections(SECTIONS, { names });
}
