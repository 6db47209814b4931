// Decision: the actor is cut at the first engine suffix; anything else belongs to the agent's id.
const ENGINE_SUFFIX = /\.node\.|\.iter\d+/;
const NODE = ".node.";

/**
 * Returns the agent id of an actor: everything before the first `.node.` or `.iter<digits>`, else the whole. engine:
 * subjects.
 */
export function agentIdOf(actor: string): string {
  const suffix = ENGINE_SUFFIX.exec(actor);
  return suffix === null ? actor : actor.slice(0, suffix.index);
}

/**
 * Returns the node of an actor: everything after the first `.node.`; `undefined` if there is none. engine: subjects.
 */
export function nodeIdOf(actor: string): string | undefined {
  const start = actor.indexOf(NODE);
  return start === -1 ? undefined : actor.slice(start + NODE.length);
}
