// Decision: cut at the first suffix of an engine; anything else is part of the agent's id.
const ENGINE_SUFFIX = /\.node\.|\.iter\d+/;
const NODE = ".node.";

/** The agent of an actor: all before the first `.node.` or `.iter<digits>`, else the whole. engine: subjects. */
export function agentIdOf(actor: string): string {
  const suffix = ENGINE_SUFFIX.exec(actor);
  return suffix === null ? actor : actor.slice(0, suffix.index);
}

/** The node of an actor: all after the first `.node.`; nothing when there is none. engine: subjects. */
export function nodeIdOf(actor: string): string | undefined {
  const start = actor.indexOf(NODE);
  return start === -1 ? undefined : actor.slice(start + NODE.length);
}
