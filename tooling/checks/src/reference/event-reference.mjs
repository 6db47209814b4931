// @ts-check
import { EVENT_TABLE, EVENT_TYPES } from "@switchyard/contracts";
import { renderTable } from "./markdown-table.mjs";

/** Renders docs/reference/events.md from the event table. @returns {string} */
export function eventReference() {
  const rows = EVENT_TYPES.map((type) => {
    const { subject, persisted, emittedBy, specified, summary } = EVENT_TABLE[type];
    const names = [specified.loop, specified.engine, ...(specified.adapter ?? [])].filter((name) => name !== undefined);
    const known = [...new Set(names)].map((name) => `\`${name}\``).join(", ");
    return [`\`${type}\``, summary, `\`${subject}\``, persisted ? "yes" : "no", emittedBy.join(", "), known];
  });
  return [
    "# Events",
    "",
    "<!-- Generated from the event table in packages/contracts/src/events by `pnpm docs:update`. -->",
    "",
    "A run publishes events of the types in this table. Stored events have a sequence number, `seq`.",
    "",
    ...renderTable(["Type", "Meaning", "Subject", "Stored", "Published by", "Names in the specifications"], rows),
    "",
  ].join("\n");
}
