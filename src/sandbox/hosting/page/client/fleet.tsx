import { useState } from 'react';
import type { VpsOverview } from './control-api.ts';
import { useNow } from './use-service.ts';

/** Number of VPS shown at first, and added by each click. */
const pageSize = 24;

/** Shows the VPS with their states, and filters them by name, address, state and other facts. */
export function Fleet({
  machines,
  clockOffsetMs,
}: {
  readonly machines: readonly VpsOverview[];
  readonly clockOffsetMs: number;
}) {
  const [typed, setTyped] = useState('');
  const [limit, setLimit] = useState(pageSize);
  const matching = machines.filter((machine) => matchesFilter(machine, typed));
  const running = machines.filter(({ state }) => state === 'running').length;
  return (
    <section id="fleet" aria-labelledby="fleet-title">
      <header className="section-head">
        <h2 id="fleet-title">VPS</h2>
        <p>
          {running} of {machines.length} running
        </p>
        <input
          type="search"
          className="filter"
          aria-label="Filter VPS"
          placeholder="Filter"
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setLimit(pageSize);
          }}
        />
      </header>
      <ul className="fleet">
        {matching.slice(0, limit).map((machine) => (
          <VpsCard key={machine.vps_name} machine={machine} clockOffsetMs={clockOffsetMs} />
        ))}
      </ul>
      {matching.length === 0 && <p className="empty">No VPS matches.</p>}
      {matching.length > limit && (
        <button type="button" className="more" onClick={() => setLimit(limit + pageSize)}>
          Show {Math.min(pageSize, matching.length - limit)} More of {matching.length}
        </button>
      )}
    </section>
  );
}

function matchesFilter(machine: VpsOverview, typed: string): boolean {
  const { vps_name, hostname, state, plan, region, os, ipv4 } = machine;
  const words = [vps_name, hostname, state, plan, region, os, ipv4].join(' ').toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word));
}

function VpsCard({
  machine,
  clockOffsetMs,
}: {
  readonly machine: VpsOverview;
  readonly clockOffsetMs: number;
}) {
  const { vps_name, hostname, state, until, since, plan, region, os, load, snapshots, has_backup } = machine;
  return (
    <li className={`machine ${until === null ? state : 'passing'}`}>
      <header>
        <h3>{vps_name}</h3>
        <span className="state" role="status" aria-label={`${vps_name} is ${state}`}>
          {state}
        </span>
      </header>
      <p className="host">{hostname}</p>
      {until !== null && (
        <TransitionProgress since={since} until={until} clockOffsetMs={clockOffsetMs} state={state} />
      )}
      <dl className="load">
        <UsageMeter name="CPU" share={load.cpu} />
        <UsageMeter name="Memory" share={load.memory} />
        <UsageMeter name="Disk" share={load.disk} />
      </dl>
      <p className="facts">
        {[
          plan,
          region,
          os,
          snapshots.length > 0 && `${snapshots.length} ${snapshots.length === 1 ? 'snapshot' : 'snapshots'}`,
          snapshots.some(({ is_ready }) => !is_ready) && 'one being taken',
          has_backup && 'backup FTP',
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </li>
  );
}

interface TransitionProgressProps {
  readonly since: number;
  readonly until: number;
  readonly clockOffsetMs: number;
  readonly state: string;
}

function TransitionProgress({ since, until, clockOffsetMs, state }: TransitionProgressProps) {
  const nowMs = useNow(clockOffsetMs, 100);
  return (
    <progress
      max={until - since}
      value={Math.min(nowMs, until) - since}
      aria-label={`Progress of ${state}`}
    />
  );
}

function UsageMeter({ name, share }: { readonly name: string; readonly share: number }) {
  const percent = Math.round(share * 100);
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <meter min={0} max={100} high={85} value={percent} aria-label={name}>
          {percent}%
        </meter>
        <span>{percent}%</span>
      </dd>
    </div>
  );
}
