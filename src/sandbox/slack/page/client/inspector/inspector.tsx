import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { TrafficLine } from '../../../delivery/traffic-lines.ts';
import type { Control } from '../control.ts';
import { describe, type Group, groups, isTrouble } from './describe.ts';
import { Detail } from './detail.tsx';
import { LineList } from './line-list.tsx';
import { useTraffic } from './use-traffic.ts';

/** How many lines are listed at first, and added with each press. */
const step = 100;

interface Filter {
  readonly text: string;
  readonly group: Group | 'all';
  readonly onlyTrouble: boolean;
}

/** Shows every payload both ways, live. */
export function Inspector({ control }: { readonly control: Control }): ReactNode {
  const { lines: arriving, limit, isLive } = useTraffic(control.team);
  const [frozen, setFrozen] = useState<readonly TrafficLine[]>();
  const [clearedId, setClearedId] = useState(0);
  const [openId, setOpenId] = useState<number>();
  const [shown, setShown] = useState(step);
  const [filter, setFilter] = useState<Filter>({ text: '', group: 'all', onlyTrouble: false });

  const lines = frozen ?? arriving;
  const matching = useMemo(
    () => lines.filter((line) => line.id > clearedId && matches(line, filter)).reverse(),
    [lines, clearedId, filter],
  );
  const open = lines.find(({ id }) => id === openId);
  const panes = useRef<HTMLDivElement>(null);
  function close() {
    panes.current?.querySelector<HTMLElement>('[aria-current="true"]')?.focus();
    setOpenId(undefined);
  }
  const missed = frozen ? arriving.filter(({ id }) => id > (frozen.at(-1)?.id ?? 0)).length : 0;

  return (
    <div className="inspector">
      <div className="inspector-tools">
        <input
          type="search"
          aria-label="Search the traffic"
          placeholder="Search everything"
          value={filter.text}
          onChange={({ target }) => setFilter({ ...filter, text: target.value })}
        />
        <button
          type="button"
          aria-pressed={frozen !== undefined}
          onClick={() => setFrozen(frozen ? undefined : arriving)}
        >
          Pause
        </button>
        <button type="button" onClick={() => setClearedId(arriving.at(-1)?.id ?? 0)}>
          Clear
        </button>
        <select
          aria-label="Kind"
          value={filter.group}
          onChange={({ target }) => setFilter({ ...filter, group: groupOf(target.value) })}
        >
          <option value="all">Everything</option>
          {Object.entries(groups).map(([group, label]) => (
            <option key={group} value={group}>
              {label}
            </option>
          ))}
        </select>
        <label className="inspector-check">
          <input
            type="checkbox"
            checked={filter.onlyTrouble}
            onChange={() => setFilter({ ...filter, onlyTrouble: !filter.onlyTrouble })}
          />{' '}
          Only refused
        </label>
      </div>
      <p className="inspector-state" role="status">
        {frozen ? `Paused, ${missed} more since.` : isLive ? 'Live.' : 'Not connected.'} The newest{' '}
        {limit || '…'} are kept.
      </p>
      <div ref={panes} className="inspector-panes">
        {matching.length === 0 ? (
          <p className="workbench-empty">
            {lines.length === 0
              ? 'Nothing yet. Type a command, or let the app call a method.'
              : 'Nothing matches.'}
          </p>
        ) : (
          <LineList lines={matching.slice(0, shown)} openId={openId} open={setOpenId} />
        )}
        {matching.length > shown && (
          <button type="button" className="inspector-more" onClick={() => setShown(shown + step)}>
            Show {matching.length - shown} Older
          </button>
        )}
      </div>
      {open && <Detail line={open} lines={lines} open={setOpenId} close={close} />}
    </div>
  );
}

function matches(line: TrafficLine, { text, group, onlyTrouble }: Filter): boolean {
  if (onlyTrouble && !isTrouble(line)) return false;
  if (group !== 'all' && describe(line).group !== group) return false;
  return text === '' || JSON.stringify(line).toLowerCase().includes(text.toLowerCase());
}

function groupOf(value: string): Group | 'all' {
  return isGroup(value) ? value : 'all';
}

function isGroup(value: string): value is Group {
  return Object.hasOwn(groups, value);
}
