import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { isObject } from '../../../../json.ts';
import type { Exchange, TrafficLine } from '../../../../traffic/traffic-lines.ts';
import { Icon } from '../../components/icon.tsx';
import { useSession } from '../../state/session.ts';
import { toCurl, toJson } from './copy-formats.ts';
import { describeLine, formatOutcome } from './describe-line.ts';
import { findErrorReason, listProblems } from './error-reasons.ts';
import { JsonTree } from './json-tree.tsx';
import { findRelatedLines } from './related-lines.ts';

interface Props {
  readonly line: TrafficLine;
  readonly lines: readonly TrafficLine[];
  open(id: number): void;
  close(): void;
}

/** The details of a line: both bodies, why it was rejected, and related lines. */
export function LineDetail({ line, lines, open, close }: Props): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  const { title, detail } = describeLine(line);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each line focuses its own heading
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
      {detail && <p className="subtle">{detail}</p>}
      {line.direction !== 'socket' && <ExchangeSummary exchange={line} />}
      <div className="detail-copies">
        <CopyButton label="Copy as JSON" text={() => toJson(line)} />
        {line.direction === 'from_app' &&
          line.kind !== 'response_url' &&
          line.kind !== 'incoming_webhook' && (
            <CopyButton label="Copy as curl" text={() => toCurl(line, location.origin)} />
          )}
      </div>
      {line.direction !== 'socket' && (
        <>
          <ErrorExplanation exchange={line} />
          <Bodies exchange={line} />
          <RelatedLines exchange={line} lines={lines} open={open} />
        </>
      )}
    </section>
  );
}

function ExchangeSummary({ exchange }: { readonly exchange: Exchange }): ReactNode {
  const { timestamps } = useSession();
  const { at, connection, direction, envelope_id, faults = [], retry, status } = exchange;
  const facts = [
    timestamps.clock(at),
    direction === 'to_app' ? 'to the app' : 'from the app',
    connection !== undefined && `over connection ${connection}`,
    status !== undefined && `HTTP ${status}`,
    formatOutcome(exchange),
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

function ErrorExplanation({ exchange }: { readonly exchange: Exchange }): ReactNode {
  const reason = findErrorReason(exchange);
  if (!reason) return null;
  return (
    <div className="refusal-note">
      <p>
        <code>{exchange.refused}</code> <b>{reason.text}</b>
      </p>
      <p>{reason.hint}</p>
      <ul>
        {listProblems(exchange).map(({ text, pointer }) => (
          <li key={`${pointer} ${text}`}>
            {text} {pointer && <code>{pointer}</code>}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Bodies({ exchange }: { readonly exchange: Exchange }): ReactNode {
  const { direction, payload, answer, acknowledged } = exchange;
  const marks = listProblems(exchange).flatMap(({ pointer }) => (pointer === undefined ? [] : [pointer]));
  const isDelivery = direction === 'to_app';
  const answered = isDelivery ? 'Acknowledged with' : 'Answered';
  const nothing = acknowledged === false || (isDelivery && acknowledged === undefined);
  return (
    <>
      <h4>{isDelivery ? 'Sent to the app' : 'Arguments'}</h4>
      <JsonTree
        label={isDelivery ? 'Sent to the app' : 'Arguments'}
        value={payload}
        highlights={isDelivery ? [] : marks}
      />
      <h4>{answered}</h4>
      {isEmptyAnswer(answer) ? (
        <p className="subtle">{nothing ? 'No acknowledgement' : 'Acknowledgement only'}</p>
      ) : (
        <JsonTree label={answered} value={answer} highlights={isDelivery ? marks : []} />
      )}
    </>
  );
}

/**
 * Returns whether a response is empty. Bolt acknowledges with an empty object if it has nothing to
 * return.
 */
function isEmptyAnswer(answer: unknown): boolean {
  return answer === undefined || (isObject(answer) && Object.keys(answer).length === 0);
}

interface RelatedProps {
  readonly exchange: Exchange;
  readonly lines: readonly TrafficLine[];
  open(id: number): void;
}

function RelatedLines({ exchange, lines, open }: RelatedProps): ReactNode {
  const related = findRelatedLines(exchange, lines);
  if (related.length === 0) return null;
  return (
    <>
      <h4 id="related-title">Related</h4>
      <ul className="related" aria-labelledby="related-title">
        {related.map(({ line, relation }) => (
          <li key={line.id}>
            <button type="button" className="link-button" onClick={() => open(line.id)}>
              {line.direction === 'to_app' ? '→' : '←'} {describeLine(line).title}
            </button>{' '}
            <span className="subtle">{relation}</span>
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
