// The first engine-defined suffix, such as `.iter3`, ends the agent's id. All text before it belongs to the id.
const ENGINE_SUFFIX = /\.node\.|\.iter\d+/;
const NODE = ".node.";

/**
 * Returns the agent id of an actor: everything before the first `.node.` or `.iter<digits>`, or the whole text if it
 * contains neither. See engine: subjects.
 */
export function agentIdOf(actor: string): string {
  const suffix = ENGINE_SUFFIX.exec(actor);
  return suffix === null ? actor : actor.slice(0, suffix.index);
}

/**
 * Returns the node name of an actor: everything after the first `.node.`. `undefined` if there is none. See engine:
 * subjects.
 */
export function nodeIdOf(actor: string): string | undefined {
  const start = actor.indexOf(NODE);
  return start === -1 ? undefined : actor.slice(start + NODE.length);
}
