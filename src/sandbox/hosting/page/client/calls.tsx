import { Fragment, useEffect, useState } from 'react';
import { type CallSummary, type CallWithBodies, fetchJson } from './control-api.ts';

/** Number of calls shown at first, and added by each click. */
const pageSize = 25;

interface Props {
  /** Newest first. */
  readonly calls: readonly CallSummary[];
  /** Calls with a higher ID are new. */
  readonly lastSeenId: number;
}

/** Lists the calls as they arrive. Clicking a call shows its request and response. */
export function Calls({ calls, lastSeenId }: Props) {
  const [openId, setOpenId] = useState<number>();
  const [isBrief, setBrief] = useState(false);
  const [typed, setTyped] = useState('');
  const [limit, setLimit] = useState(pageSize);
  const matching = calls.filter((call) => !(isBrief && call.method === 'GET') && matchesFilter(call, typed));
  const shown = matching.slice(0, limit);
  return (
    <section id="calls" className="calls" aria-labelledby="calls-title">
      <header className="section-head">
        <h2 id="calls-title">Calls</h2>
        <label className="check">
          <input type="checkbox" checked={isBrief} onChange={() => setBrief(!isBrief)} /> Hide GET calls
        </label>
        <input
          type="search"
          className="filter"
          aria-label="Filter calls"
          placeholder="Filter"
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setLimit(pageSize);
          }}
        />
      </header>
      {shown.length === 0 && typed !== '' ? (
        <p className="empty">No call matches.</p>
      ) : shown.length === 0 ? (
        <p className="empty">
          No calls yet. Run <code>/vps reboot VPS-10001</code> in the Slack workspace, and watch it arrive
          here.
        </p>
      ) : (
        <table className="call-list" aria-label="Calls, newest first">
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Call</th>
              <th scope="col">Status</th>
              <th scope="col" className="wide">
                Key
              </th>
              <th scope="col" className="wide number">
                Took
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((call) => {
              const isOpen = call.id === openId;
              return (
                <Fragment key={call.id}>
                  <CallRow
                    call={call}
                    isNew={call.id > lastSeenId}
                    isOpen={isOpen}
                    toggle={() => setOpenId(isOpen ? undefined : call.id)}
                  />
                  {isOpen && <CallDetail call={call} />}
                </Fragment>
              );
            })}
          </tbody>
        </table>
      )}
      {matching.length > limit && (
        <button type="button" className="more" onClick={() => setLimit(limit + pageSize)}>
          Show Older Calls
        </button>
      )}
    </section>
  );
}

function matchesFilter({ method, path, status, key }: CallSummary, typed: string): boolean {
  const text = [method, path, status, key].join(' ').toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

interface RowProps {
  readonly call: CallSummary;
  readonly isNew: boolean;
  readonly isOpen: boolean;
  toggle(): void;
}

function CallRow({ call, isNew, isOpen, toggle }: RowProps) {
  return (
    <tr className={isNew ? 'call is-new' : 'call'}>
      <td className="time">{formatTime(call.at)}</td>
      <td className="what">
        <button type="button" className="quiet" aria-expanded={isOpen} onClick={toggle}>
          <b className={`method ${call.method.toLowerCase()}`}>{call.method}</b> <span>{call.path}</span>
        </button>
      </td>
      <td>
        <Status call={call} />
      </td>
      <td className="wide">{call.key ? <code>{call.key}</code> : '–'}</td>
      <td className="wide number">{call.took_ms === null ? '…' : `${call.took_ms} ms`}</td>
    </tr>
  );
}

function Status({ call }: { readonly call: CallSummary }) {
  if (call.took_ms === null) return <span className="status waiting">waiting</span>;
  if (call.status === 0) return <span className="status bad">no answer</span>;
  return <span className={`status ${call.status < 400 ? 'good' : 'bad'}`}>{call.status}</span>;
}

function CallDetail({ call }: { readonly call: CallSummary }) {
  const [whole, setWhole] = useState<CallWithBodies>();
  const [failure, setFailure] = useState('');
  const { id, took_ms } = call;
  // biome-ignore lint/correctness/useExhaustiveDependencies: reloads when the response arrives
  useEffect(() => {
    fetchJson<{ call: CallWithBodies }>(`calls/${id}`).then(
      (answer) => setWhole(answer.call),
      (error: Error) => setFailure(error.message),
    );
  }, [id, took_ms]);
  if (failure) return <DetailRow>{failure}</DetailRow>;
  if (!whole) return <DetailRow>Reading…</DetailRow>;
  const hasQuery = Object.keys(whole.query).length > 0;
  return (
    <DetailRow>
      <p>
        {whole.key ? (
          <>
            With the key <code>{whole.key}</code>,
          </>
        ) : (
          'Without a known key,'
        )}{' '}
        {whole.took_ms === null ? 'not answered yet' : `answered in ${whole.took_ms} ms`}.
        {whole.is_over_quota && ' The key’s quota was used up.'}
        {whole.fault && ` The fault ${whole.fault} was triggered.`}
      </p>
      {hasQuery && <Body title="Query" text={JSON.stringify(whole.query, null, 2)} />}
      <Body title="Sent" text={whole.body === null ? '' : formatJson(whole.body)} />
      <Body title="Answered" text={formatJson(whole.answer ?? '')} />
    </DetailRow>
  );
}

function DetailRow({ children }: { readonly children: React.ReactNode }) {
  return (
    <tr className="detail">
      <td colSpan={5}>{children}</td>
    </tr>
  );
}

function Body({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div className="body">
      <h3>{title}</h3>
      {text ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scroll areas need keyboard access
        <pre tabIndex={0}>{text}</pre>
      ) : (
        <p className="empty">Nothing</p>
      )}
    </div>
  );
}

/** Formats JSON, or text that contains JSON, with indentation. */
function formatJson(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}

function formatTime(atMs: number): string {
  return new Date(atMs).toLocaleTimeString(undefined, { hourCycle: 'h23' });
}
