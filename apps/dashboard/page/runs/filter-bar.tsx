import type { RunStatistics } from "@switchyard/contracts";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { plainLine } from "../text/plain-text.ts";
import { GROUPS, PERIOD_ORDER, PERIODS, type RunsQuery, STATUS_GROUPS } from "./runs-query.ts";

/** Time after the last key before a search is sent, in milliseconds. */
const SEARCH_DELAY_MS = 150;
interface FilterProps {
  readonly query: RunsQuery;
  readonly known: Pick<RunStatistics, "engines" | "owners"> | undefined;
  /** Changes the query, and returns to the first page. */
  readonly onChange: (changes: Partial<RunsQuery>) => void;
}

function Search({ query: { search }, onChange }: FilterProps): JSX.Element {
  const [text, setText] = useState(search);
  const input = useRef<HTMLInputElement>(null);
  // The URL may change otherwise, for example by the browser's Back button.
  useEffect(() => {
    if (document.activeElement !== input.current) setText(search);
  }, [search]);
  useEffect(() => {
    if (text === search) return undefined;
    const timer = setTimeout(() => onChange({ search: text }), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text, search, onChange]);
  return (
    <input
      ref={input}
      id="search"
      type="search"
      aria-label="Search runs"
      placeholder="Search task, engine, model or id   ( / )"
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
    />
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly onSelect: (value: string) => void;
}

function Select({ label, value, options, onSelect }: SelectProps): JSX.Element {
  return (
    <select aria-label={label} value={value} onChange={(event) => onSelect(event.currentTarget.value)}>
      {options.map(([option, name]) => (
        <option key={option} value={option}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** Names for a selection; contains the selected name even if no run has it. */
function namesWith(names: readonly string[], selected: string, all: string): SelectProps["options"] {
  const known = selected === "" || names.includes(selected) ? names : [selected, ...names];
  return [["", all], ...known.map((name) => [name, plainLine(name)] as const)];
}

/** Search and filters of the list of runs. */
export function FilterBar(props: FilterProps): JSX.Element {
  const { query, known, onChange } = props;
  const { engines = [], owners = [] } = known ?? {};
  return (
    <search class="filters" aria-label="Runs">
      <Search {...props} />
      <fieldset class="choices">
        <legend class="unseen">Status</legend>
        {GROUPS.map((group) => (
          <button key={group} type="button" aria-pressed={group === query.group} onClick={() => onChange({ group })}>
            {STATUS_GROUPS[group].name}
          </button>
        ))}
      </fieldset>
      <Select
        label="Engine"
        value={query.engine}
        options={namesWith(engines, query.engine, "All engines")}
        onSelect={(engine) => onChange({ engine })}
      />
      {owners.length > 1 && (
        <Select
          label="Caller"
          value={query.owner}
          options={namesWith(owners, query.owner, "All callers")}
          onSelect={(owner) => onChange({ owner })}
        />
      )}
      <Select
        label="Accepted"
        value={query.period}
        options={Object.entries(PERIODS).map(([period, { name }]) => [period, name])}
        onSelect={(value) => onChange({ period: PERIOD_ORDER.find((period) => period === value) ?? "any" })}
      />
    </search>
  );
}
