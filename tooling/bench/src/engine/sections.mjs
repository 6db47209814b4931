// @ts-check

/** @import { Section } from "../figure/bench-sections.mjs" */
/** @import { SectionName } from "../section-names.mjs" */

/**
 * Sections of `pnpm bench engine`, in this order. Loaded on demand, because each section has a separate process.
 * @type {Readonly<Record<SectionName<"engine">, Section>>}
 */
export const SECTIONS = {
  events: {
    title: "Events through bus and router",
    measure: async () => (await import("./events/measure-events.mjs")).measureEvents(),
  },
  bursts: {
    title: "A burst of 20,000 increments for a slow sink",
    measure: async () => (await import("./events/measure-bursts.mjs")).measureBursts(),
  },
  snapshots: {
    title: "Snapshot of a board after one small change",
    measure: async () => (await import("./snapshots/measure-snapshots.mjs")).measureSnapshots(),
  },
  flatness: {
    title: "The same snapshot on a board of 20 MB as on one of 1 KB",
    measure: async () => (await import("./snapshots/measure-flatness.mjs")).measureFlatness(),
  },
  saves: {
    title: "Checkpoint of a 20 KB change, one after the other",
    measure: async () => (await import("./stores/measure-saves.mjs")).measureSaves(),
  },
  flushes: {
    title: "Flushes of the disk",
    measure: async () => (await import("./stores/measure-flushes.mjs")).measureFlushes(),
  },
  sessions: {
    title: "Checkpoints of 100 sessions at once",
    measure: async () => (await import("./stores/measure-sessions.mjs")).measureSessions(),
  },
  bytes: {
    title: "Bytes written for a 20 KB change, file store",
    measure: async () => (await import("./stores/measure-bytes.mjs")).measureBytes(),
  },
  delays: {
    title: "Longest delay of the event loop, 20 MB board",
    measure: async () => (await import("./stores/measure-delays.mjs")).measureDelays(),
  },
  restores: {
    title: "CPU of a load",
    measure: async () => (await import("./stores/measure-restores.mjs")).measureRestores(),
  },
};
