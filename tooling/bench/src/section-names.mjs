// @ts-check

/** Sections of each area that `pnpm bench <area>` measures without names. The type checker compares them with the code of the areas. */
export const SECTION_NAMES = /** @type {const} */ ({
  cli: ["start", "turns"],
  "custom-engine": ["local", "http", "archive"],
  engine: ["events", "bursts", "snapshots", "flatness", "saves", "flushes", "sessions", "bytes", "delays", "restores"],
  environment: ["grep", "glob", "reads", "edits", "commands", "memory", "output"],
  fanout: ["one", "two", "four", "wide", "power", "backlog", "runs", "runs-power"],
  gateway: ["deltas", "first"],
  loop: ["rounds", "deltas", "burst", "sessions", "requests"],
  server: ["one", "hundred", "thousand", "stalled", "runs", "live"],
});

/** Name of an area. @typedef {keyof typeof SECTION_NAMES} AreaName */

/**
 * Name of a section of an area.
 * @template {AreaName} Area
 * @typedef {(typeof SECTION_NAMES)[Area][number]} SectionName
 */
