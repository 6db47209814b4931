import type { RunView } from "@switchyard/contracts";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "../controls/dialog.tsx";
import { useSession } from "../session/session.ts";
import { hrefOfRun } from "../text/href.ts";
import { plainLine } from "../text/plain-text.ts";

/** Command of the palette. */
export interface Command {
  readonly name: string;
  /** Keys that run the command without the palette. */
  readonly keys?: string | undefined;
  readonly run: () => void;
}

/** Number of runs that a search in the palette shows. */
const MOST_RUNS = 8;
/** Time after the last key before runs are searched, in milliseconds. */
const SEARCH_DELAY_MS = 150;

/** Searches runs by words, after a pause in typing. */
function useFoundRuns(query: string): readonly RunView[] {
  const { client } = useSession().connection;
  const [found, setFound] = useState<readonly RunView[]>([]);
  useEffect(() => {
    if (query === "") {
      setFound([]);
      return undefined;
    }
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      client.runs.list({ search: query, limit: MOST_RUNS, signal: leaving.signal }).then(
        ({ runs }) => setFound(runs),
        // The list of runs reports such errors. The palette then only offers commands.
        () => leaving.signal.aborted || setFound([]),
      );
    }, SEARCH_DELAY_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [client, query]);
  return found;
}

function matches({ name }: Command, query: string): boolean {
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((term) => name.toLowerCase().includes(term));
}

interface OptionsProps {
  readonly options: readonly Command[];
  readonly active: number;
  readonly onRun: (command: Command) => void;
}

function Options({ options, active, onRun }: OptionsProps): JSX.Element {
  return (
    <div id="palette-options" role="listbox" aria-label="Commands and runs" class="palette-options">
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the search field handles the keys of this list.
        <div
          key={index}
          id={`palette-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          onClick={() => onRun(option)}
        >
          <span>{option.name}</span>
          {option.keys !== undefined && <kbd>{option.keys}</kbd>}
        </div>
      ))}
    </div>
  );
}

/** Palette: runs commands and opens runs, by keyboard. */
export function Palette({ commands, onClose }: { commands: readonly Command[]; onClose: () => void }): JSX.Element {
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const runs = useFoundRuns(query.trim());
  const list = useRef<HTMLDivElement>(null);
  const options: readonly Command[] = [
    ...commands.filter((command) => matches(command, query)),
    ...runs.map((run) => ({
      name: `Run: ${plainLine(run.title) || run.run_id}`,
      run: () => {
        location.hash = hrefOfRun(run.run_id);
      },
    })),
  ];
  const selected = Math.min(active, Math.max(0, options.length - 1));
  useEffect(() => {
    list.current?.querySelector(`#palette-${selected}`)?.scrollIntoView({ block: "nearest" });
  }, [selected]);
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Enter") run(options[selected]);
    else if (step === 0) return;
    else setActive((selected + step + options.length) % Math.max(1, options.length));
    event.preventDefault();
  };
  return (
    <Dialog name="Command palette" onClose={onClose}>
      <div ref={list} class="palette">
        <input
          type="text"
          role="combobox"
          autofocus
          aria-label="Command or run"
          aria-expanded="true"
          aria-controls="palette-options"
          aria-activedescendant={options.length === 0 ? undefined : `palette-${selected}`}
          placeholder="Type a command, or words of a run"
          autocomplete="off"
          value={query}
          onInput={(event) => {
            setQuery(event.currentTarget.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        <Options options={options} active={selected} onRun={run} />
        {options.length === 0 && <p class="faint">No command or run matches.</p>}
      </div>
    </Dialog>
  );
}
