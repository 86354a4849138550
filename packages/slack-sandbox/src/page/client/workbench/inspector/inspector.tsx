import { type ReactNode, useMemo, useRef, useState } from 'react';
import { hasFailed } from '../../../../traffic/has-failed.ts';
import type { TrafficLine } from '../../../../traffic/traffic-lines.ts';
import type { ControlClient } from '../../state/control-client.ts';
import { describeLine, type LineGroup, lineGroups } from './describe-line.ts';
import { LineDetail } from './line-detail.tsx';
import { LineList } from './line-list.tsx';
import { useTraffic } from './use-traffic.ts';

/** How many lines are shown at first, and how many each click adds. */
const pageSize = 100;

interface Filter {
  readonly text: string;
  readonly group: LineGroup | 'all';
  readonly onlyFailed: boolean;
}

/** Shows all payloads in both directions as they arrive. */
export function Inspector({ control }: { readonly control: ControlClient }): ReactNode {
  const { lines: arriving, limit, isLive } = useTraffic(control.team);
  const [frozen, setFrozen] = useState<readonly TrafficLine[]>();
  const [clearedId, setClearedId] = useState(0);
  const [openId, setOpenId] = useState<number>();
  const [shown, setShown] = useState(pageSize);
  const [filter, setFilter] = useState<Filter>({ text: '', group: 'all', onlyFailed: false });

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
          onChange={({ target }) => setFilter({ ...filter, group: parseGroup(target.value) })}
        >
          <option value="all">Everything</option>
          {Object.entries(lineGroups).map(([group, label]) => (
            <option key={group} value={group}>
              {label}
            </option>
          ))}
        </select>
        <label className="inspector-check">
          <input
            type="checkbox"
            checked={filter.onlyFailed}
            onChange={() => setFilter({ ...filter, onlyFailed: !filter.onlyFailed })}
          />{' '}
          Only refused
        </label>
      </div>
      <p className="inspector-state" role="status">
        {frozen ? `Paused: ${missed} new lines.` : isLive ? 'Live.' : 'Not connected.'} The newest{' '}
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
          <button type="button" className="inspector-more" onClick={() => setShown(shown + pageSize)}>
            Show {matching.length - shown} Older
          </button>
        )}
      </div>
      {open && <LineDetail line={open} lines={lines} open={setOpenId} close={close} />}
    </div>
  );
}

function matches(line: TrafficLine, { text, group, onlyFailed }: Filter): boolean {
  if (onlyFailed && !hasFailed(line)) return false;
  if (group !== 'all' && describeLine(line).group !== group) return false;
  return text === '' || JSON.stringify(line).toLowerCase().includes(text.toLowerCase());
}

function parseGroup(value: string): LineGroup | 'all' {
  return isGroup(value) ? value : 'all';
}

function isGroup(value: string): value is LineGroup {
  return Object.hasOwn(lineGroups, value);
}
