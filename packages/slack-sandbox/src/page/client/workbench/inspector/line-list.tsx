import type { KeyboardEvent, ReactNode } from 'react';
import { hasFailed } from '../../../../traffic/has-failed.ts';
import type { TrafficLine } from '../../../../traffic/traffic-lines.ts';
import { useSession } from '../../state/session.ts';
import { describeLine, formatOutcome } from './describe-line.ts';

const directionArrows = { to_app: '→', from_app: '←', socket: '⇄' } as const;
const directionLabels = { to_app: 'to the app', from_app: 'from the app', socket: 'connection' } as const;

interface Props {
  /** Newest first. */
  readonly lines: readonly TrafficLine[];
  readonly openId: number | undefined;
  open(id: number): void;
}

/** The lines in the order in which they arrive. Arrow keys move between them. */
export function LineList({ lines, openId, open }: Props): ReactNode {
  function onKeyDown(event: KeyboardEvent<HTMLUListElement>) {
    const step = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[event.key];
    const row = event.target instanceof Element ? event.target.closest('li') : null;
    if (!step || !row) return;
    event.preventDefault();
    const next = step === 'nextElementSibling' ? row.nextElementSibling : row.previousElementSibling;
    next?.querySelector('button')?.focus();
  }

  return (
    <ul className="lines" aria-label="Traffic, newest first" onKeyDown={onKeyDown}>
      {lines.map((line) => (
        <LineRow key={line.id} line={line} isOpen={line.id === openId} open={open} />
      ))}
    </ul>
  );
}

interface RowProps {
  readonly line: TrafficLine;
  readonly isOpen: boolean;
  open(id: number): void;
}

function LineRow({ line, isOpen, open }: RowProps): ReactNode {
  const { timestamps } = useSession();
  const { title, detail } = describeLine(line);
  const outcome = formatOutcome(line);
  return (
    <li className={hasFailed(line) ? `line ${line.direction} is-trouble` : `line ${line.direction}`}>
      <button type="button" aria-current={isOpen} onClick={() => open(line.id)}>
        <span className="line-arrow" aria-hidden="true">
          {directionArrows[line.direction]}
        </span>
        <span className="line-what">
          <b>{title}</b> <span className="visually-hidden">{directionLabels[line.direction]}</span>
          <small>{detail}</small>
        </span>
        <span className="line-course">
          {outcome && <span className="line-chip">{outcome}</span>}
          <time dateTime={new Date(line.at).toISOString()}>{timestamps.clock(line.at)}</time>
        </span>
      </button>
    </li>
  );
}
