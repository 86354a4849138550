import { benchAcks } from './acks.ts';
import { benchCharts } from './charts.ts';
import { benchPage } from './page.ts';
import { benchQuota } from './quota.ts';
import { benchSummaries } from './summaries.ts';

const all = {
  quota: benchQuota,
  acks: benchAcks,
  charts: benchCharts,
  summaries: benchSummaries,
  page: benchPage,
};

/** `npm run bench` measures everything, `npm run bench -- page` one. */
const wanted = process.argv.slice(2);
for (const [name, bench] of Object.entries(all))
  if (wanted.length === 0 || wanted.includes(name)) await bench();
