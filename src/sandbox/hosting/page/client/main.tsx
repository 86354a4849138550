import { createRoot } from 'react-dom/client';
import { Network, Permissions } from './account.tsx';
import { Calls } from './calls.tsx';
import { Fleet } from './fleet.tsx';
import { QuotaStrip } from './quota-strip.tsx';
import { useService } from './use-service.ts';

function HostingPage() {
  const { overview, calls, isLive, clockOffsetMs, lastSeenId } = useService();
  return (
    <>
      <header className="bar">
        <h1>Hosting service</h1>
        {overview && (
          <p className="owner">
            {overview.account.name} <small>{overview.account.id}</small>
          </p>
        )}
        <span className={isLive ? 'live' : 'live is-off'} role="status">
          {isLive ? 'Live' : 'Not connected'}
        </span>
        <nav aria-label="Sections">
          <a href="#calls">Calls</a>
          <a href="#fleet">VPS</a>
          <a href="#network">Network</a>
          <a href="#permissions">Permissions</a>
        </nav>
        <nav aria-label="Elsewhere">
          <a href="/openapi.json">openapi.json</a>
          <a href="/sandbox/calls">calls as JSON</a>
          {overview?.slack_url && <a href={overview.slack_url}>Slack workspace</a>}
        </nav>
      </header>
      {overview ? (
        <main>
          <section aria-labelledby="quota-title">
            <header className="section-head">
              <h2 id="quota-title">Calls against the quota</h2>
            </header>
            <div className="keys">
              {overview.keys.map((key) => (
                <QuotaStrip
                  key={key.key}
                  apiKey={key}
                  calls={calls}
                  windowMs={overview.window_ms}
                  clockOffsetMs={clockOffsetMs}
                />
              ))}
            </div>
          </section>
          <div className="columns">
            <Calls calls={calls} lastSeenId={lastSeenId} />
            <Fleet machines={overview.machines} clockOffsetMs={clockOffsetMs} />
          </div>
          <Network {...overview} />
          <Permissions {...overview} />
        </main>
      ) : (
        <p className="empty">Reading…</p>
      )}
    </>
  );
}

const root = document.getElementById('root');
if (root) createRoot(root).render(<HostingPage />);
