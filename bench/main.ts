import { benchAcks } from './acks.ts';
import { benchCharts } from './charts.ts';
import { benchFlood } from './flood.ts';
import { benchHistory } from './history.ts';
import { benchPage } from './page.ts';
import { benchPages } from './pages.ts';
import { benchPath } from './path.ts';
import { benchQuota } from './quota.ts';
import { benchReports } from './reports.ts';
import { benchSlowConnections } from './slow-connections.ts';

const benches = {
  quota: benchQuota,
  acks: benchAcks,
  flood: benchFlood,
  history: benchHistory,
  charts: benchCharts,
  summaries: benchReports,
  page: benchPage,
  pages: benchPages,
  path: benchPath,
  slow: benchSlowConnections,
};

// `npm run bench` runs all benchmarks, and `npm run bench -- page` only one of them.
const requested = process.argv.slice(2);
for (const [name, bench] of Object.entries(benches))
  if (requested.length === 0 || requested.includes(name)) await bench();
