function attempt(change: () => unknown): void {
  try {
    change();
  } catch {
    // A frozen value is as safe as a copy.
  }
}

/** Changes a value at every level that is not frozen. */
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
