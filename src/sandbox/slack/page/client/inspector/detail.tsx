import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Exchange, TrafficLine } from '../../../delivery/traffic-lines.ts';
import { isObject } from '../../../json.ts';
import { Icon } from '../icon.tsx';
import { timeOf } from '../trouble/fault-state.tsx';
import { asCurl, asJson } from './copies.ts';
import { describe, outcomeOf } from './describe.ts';
import { JsonTree } from './json-tree.tsx';
import { relatedTo } from './links.ts';
import { problemsOf, reasonOf } from './reasons.ts';

interface Props {
  readonly line: TrafficLine;
  readonly lines: readonly TrafficLine[];
  open(id: number): void;
  close(): void;
}

/** Everything about one line: both bodies, why it was refused, and what belongs to it. */
export function Detail({ line, lines, open, close }: Props): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  const { title, about } = describe(line);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another line is another place to read
  useEffect(() => heading.current?.focus(), [line.id]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    close();
  }

  return (
    <section className="line-detail" aria-labelledby="detail-title" onKeyDown={onKeyDown}>
      <header>
        <h3 id="detail-title" ref={heading} tabIndex={-1}>
          {title}
        </h3>
        <button type="button" className="icon-button" aria-label="Close detail" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {about && <p className="subtle">{about}</p>}
      {line.direction !== 'socket' && <Course exchange={line} />}
      <div className="detail-copies">
        <CopyButton label="Copy as JSON" text={() => asJson(line)} />
        {line.direction === 'from_app' && line.kind !== 'response_url' && (
          <CopyButton label="Copy as curl" text={() => asCurl(line, location.origin)} />
        )}
      </div>
      {line.direction !== 'socket' && (
        <>
          <Refusal exchange={line} />
          <Bodies exchange={line} />
          <RelatedLines exchange={line} lines={lines} open={open} />
        </>
      )}
    </section>
  );
}

function Course({ exchange }: { readonly exchange: Exchange }): ReactNode {
  const { at, connection, direction, envelope_id, faults = [], retry, status } = exchange;
  const facts = [
    timeOf(at),
    direction === 'to_app' ? 'to the app' : 'from the app',
    connection !== undefined && `over connection ${connection}`,
    status !== undefined && `HTTP ${status}`,
    outcomeOf(exchange),
    retry !== undefined && `attempt ${retry + 1}`,
    envelope_id && `envelope ${envelope_id.slice(0, 8)}`,
  ];
  return (
    <p className="subtle">
      {facts.filter(Boolean).join(' · ')}
      {faults.map((fault) => (
        <span key={fault} className="line-chip is-fault">
          {fault}
        </span>
      ))}
    </p>
  );
}

function Refusal({ exchange }: { readonly exchange: Exchange }): ReactNode {
  const reason = reasonOf(exchange);
  if (!reason) return null;
  return (
    <div className="refusal-note">
      <p>
        <code>{exchange.refused}</code> <b>{reason.words}</b>
      </p>
      <p>{reason.hint}</p>
      <ul>
        {problemsOf(exchange).map(({ words, pointer }) => (
          <li key={`${pointer} ${words}`}>
            {words} {pointer && <code>{pointer}</code>}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Bodies({ exchange }: { readonly exchange: Exchange }): ReactNode {
  const { direction, payload, answer, acknowledged } = exchange;
  const marks = problemsOf(exchange).flatMap(({ pointer }) => (pointer === undefined ? [] : [pointer]));
  const isDelivery = direction === 'to_app';
  const answered = isDelivery ? 'Acknowledged with' : 'Answered';
  const nothing = acknowledged === false || (isDelivery && acknowledged === undefined);
  return (
    <>
      <h4>{isDelivery ? 'Sent to the app' : 'Arguments'}</h4>
      <JsonTree
        label={isDelivery ? 'Sent to the app' : 'Arguments'}
        value={payload}
        marks={isDelivery ? [] : marks}
      />
      <h4>{answered}</h4>
      {isNothing(answer) ? (
        <p className="subtle">{nothing ? 'No acknowledgement' : 'Nothing but the acknowledgement'}</p>
      ) : (
        <JsonTree label={answered} value={answer} marks={isDelivery ? marks : []} />
      )}
    </>
  );
}

/** Bolt acknowledges with an empty object where there is nothing to say. */
function isNothing(answer: unknown): boolean {
  return answer === undefined || (isObject(answer) && Object.keys(answer).length === 0);
}

interface RelatedProps {
  readonly exchange: Exchange;
  readonly lines: readonly TrafficLine[];
  open(id: number): void;
}

function RelatedLines({ exchange, lines, open }: RelatedProps): ReactNode {
  const related = relatedTo(exchange, lines);
  if (related.length === 0) return null;
  return (
    <>
      <h4 id="related-title">What belongs to it</h4>
      <ul className="related" aria-labelledby="related-title">
        {related.map(({ line, why }) => (
          <li key={line.id}>
            <button type="button" className="link-button" onClick={() => open(line.id)}>
              {line.direction === 'to_app' ? '→' : '←'} {describe(line).title}
            </button>{' '}
            <span className="subtle">{why}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function CopyButton({ label, text }: { readonly label: string; text(): string }): ReactNode {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <button type="button" onClick={() => navigator.clipboard.writeText(text()).then(() => setCopied(true))}>
      {isCopied ? 'Copied' : label}
    </button>
  );
}
