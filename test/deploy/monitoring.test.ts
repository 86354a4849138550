import { readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { type RunningStack, startStack } from '../stack.ts';

const alerts = z
  .object({
    groups: z.array(
      z.looseObject({
        rules: z.array(
          z.looseObject({
            alert: z.string(),
            expr: z.string(),
            annotations: z.object({ summary: z.string() }),
          }),
        ),
      }),
    ),
  })
  .parse(parse(readFileSync('deploy/monitoring/prometheus-alerts.yml', 'utf8')))
  .groups.flatMap(({ rules }) => rules);

const dashboard = z
  .looseObject({
    panels: z.array(
      z.looseObject({ title: z.string(), targets: z.array(z.looseObject({ expr: z.string() })) }),
    ),
  })
  .parse(JSON.parse(readFileSync('deploy/monitoring/grafana-dashboard.json', 'utf8')));

const queries = [
  ...alerts.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboard.panels.flatMap(({ title, targets }) =>
    // Grafana replaces its variables before it sends a query.
    targets.map(({ expr }) => [title, expr.replaceAll('$__rate_interval', '5m')] as const),
  ),
];

/** Metrics that Prometheus itself adds. */
const prometheusMetrics = ['up'];

let running: RunningStack;
let exposed: ReadonlyMap<string, ReadonlySet<string>>;

beforeAll(async () => {
  running = await startStack();
  await running.slack.slash('list');
  await running.slack.message(/VPS/);
  exposed = parseExposition(await (await fetch(`${running.serverUrl}/metrics`)).text());
});
afterAll(() => running.close());

/** Returns the labels of each metric that is declared, by the name of its samples. */
function parseExposition(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    const names = type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name];
    for (const one of names) found.set(one, new Set(['instance', 'job']));
  }
  for (const [, name = '', labels = ''] of text.matchAll(/^([a-z_]+)(?:\{([^}]*)\})? /gm))
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) found.get(name)?.add(label);
  return found;
}

describe('the alert rules and the dashboard', () => {
  test.each(queries)('%s has a valid query of metrics that exist', (_, query) => {
    const metrics: string[] = [];
    const labels: string[] = [];
    parser.parse(query).iterate({
      enter(node) {
        expect(node.type.isError, `${query} at ${node.from}`).toBe(false);
        const text = query.slice(node.from, node.to);
        if (node.name === 'Identifier' && node.node.parent?.name === 'VectorSelector') metrics.push(text);
        if (node.name === 'LabelName') labels.push(text);
      },
    });
    expect(metrics.length).toBeGreaterThan(0);
    const known = new Set(['instance', 'job']);
    for (const metric of metrics) {
      if (prometheusMetrics.includes(metric)) continue;
      expect([...exposed.keys()]).toContain(metric);
      for (const label of exposed.get(metric) ?? []) known.add(label);
    }
    for (const label of labels.filter((name) => !labelsOfEvents.includes(name)))
      expect([...known]).toContain(label);
  });

  test('docs/operate.md says what to do for each alert', () => {
    const text = readFileSync('docs/operate.md', 'utf8');
    for (const { alert } of alerts) expect(text).toContain(`| \`${alert}\` |`);
  });
});

/** Labels of counters that have no samples until something goes wrong. Their code names them. */
const labelsOfEvents = ['reason', 'kind', 'state'];
