import { parseArgs } from 'node:util';
import { benchAcks } from './acks.ts';
import { printAims } from './aims.ts';
import { benchCharts } from './charts.ts';
import { benchFairness } from './fairness.ts';
import { benchFlood } from './flood.ts';
import { benchHistory } from './history.ts';
import { benchJobs } from './jobs.ts';
import { benchPage } from './page.ts';
import { benchPages } from './pages.ts';
import { benchPath } from './path.ts';
import { benchPeers } from './peers.ts';
import { benchQuota } from './quota.ts';
import { benchReports } from './reports.ts';
import { benchSlowConnections } from './slow-connections.ts';
import { benchSlowService } from './slow-service.ts';
import { benchStart } from './start.ts';
import { benchWorkspaces } from './workspaces.ts';
import { writePage } from './write-page.ts';

const benches = {
  start: benchStart,
  quota: benchQuota,
  acks: benchAcks,
  flood: benchFlood,
  peers: benchPeers,
  history: benchHistory,
  fairness: benchFairness,
  charts: benchCharts,
  summaries: benchReports,
  page: benchPage,
  pages: benchPages,
  path: benchPath,
  slow: benchSlowConnections,
  workspaces: benchWorkspaces,
  'slow-service': benchSlowService,
  jobs: benchJobs,
};

// `npm run bench` runs all benchmarks, and `npm run bench -- page` only one of them. With `--write`,
// the results go into docs/internals/benchmarks.md too.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
});

const unknown = positionals.filter((name) => !(name in benches));
if (unknown.length > 0)
  throw new Error(`no benchmark ${unknown.join(', ')}: ${Object.keys(benches).join(', ')}`);
const chosen = Object.entries(benches).filter(
  ([name]) => positionals.length === 0 || positionals.includes(name),
);
if (values.write) await writePage(chosen, Object.keys(benches));
else for (const [, bench] of chosen) await bench();
printAims();
