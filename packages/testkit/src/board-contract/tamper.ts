function attempt(change: () => unknown): void {
  try {
    change();
  } catch {
    // A frozen value cannot be changed. A board may return frozen values instead of copies, because both protect its
    // data.
  }
}

/** Changes a value at every level that is not frozen, to test whether a board shares data with its caller. */
export function tamper(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const item of Object.values(value)) tamper(item);
  attempt(() => {
    if (value instanceof Date) value.setTime(0);
    if (Array.isArray(value)) value.push("tampered");
  });
  for (const name of Object.keys(value)) attempt(() => Reflect.set(value, name, "tampered"));
  attempt(() => Reflect.set(value, "tampered", true));
}
