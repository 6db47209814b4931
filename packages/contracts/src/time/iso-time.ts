const DAY_MS = 86_400_000;
/** Timestamps of the first and last millisecond of the years 0000 to 9999, in milliseconds since 1970. */
const [FIRST_MS, LAST_MS] = [-62_167_219_200_000, 253_402_300_799_999];
/** Number of days in 400 years, and number of days from 1 March of year 0 to 1 January 1970. */
const [ERA_DAYS, EPOCH_DAYS] = [146_097, 719_468];

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}

/**
 * Returns the calendar date of a day, given as the number of days since 1 January 1970. The computation lets years
 * begin in March, so that leap days come last.
 */
function dateOf(day: number): string {
  const shifted = day + EPOCH_DAYS;
  const era = Math.floor(shifted / ERA_DAYS);
  const inEra = shifted - era * ERA_DAYS;
  const years = Math.floor(
    (inEra - Math.floor(inEra / 1_460) + Math.floor(inEra / 36_524) - Math.floor(inEra / 146_096)) / 365,
  );
  const inYear = inEra - (365 * years + Math.floor(years / 4) - Math.floor(years / 100));
  const fromMarch = Math.floor((5 * inYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const year = years + era * 400 + (month <= 2 ? 1 : 0);
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(inYear - Math.floor((153 * fromMarch + 2) / 5) + 1, 2)}`;
}

/**
 * Returns a time as ISO 8601 in UTC, like `Date.toISOString`. `Date` looks up the machine's time zone on first use,
 * which can take half of the process's start-up time; UTC does not need it. Throws `RangeError` for an invalid time.
 */
export function isoTime(ms: number): string {
  const integerMs = Math.trunc(ms);
  if (!(integerMs >= FIRST_MS && integerMs <= LAST_MS)) return new Date(ms).toISOString();
  const day = Math.floor(integerMs / DAY_MS);
  const rest = integerMs - day * DAY_MS;
  const [hours, minutes] = [Math.floor(rest / 3_600_000), Math.floor(rest / 60_000) % 60];
  const seconds = `${padded(Math.floor(rest / 1_000) % 60, 2)}.${padded(rest % 1_000, 3)}`;
  return `${dateOf(day)}T${padded(hours, 2)}:${padded(minutes, 2)}:${seconds}Z`;
}
