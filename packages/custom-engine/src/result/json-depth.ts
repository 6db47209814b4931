/** Levels of lists and maps inside of one another that a result may have. */
export const MAX_JSON_DEPTH = 100;

/** Whether a JSON text has more than 100 levels of lists and maps; told without parsing it. */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  let inText = false;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (inText) {
      if (code === 92) index += 1;
      else if (code === 34) inText = false;
    } else if (code === 34) {
      inText = true;
    } else if (code === 91 || code === 123) {
      depth += 1;
      if (depth > MAX_JSON_DEPTH) return true;
    } else if (code === 93 || code === 125) {
      depth -= 1;
    }
  }
  return false;
}
