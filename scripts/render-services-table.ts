import { allReadings } from '../src/hosting/profile/readings/all-readings.ts';
import { checkReading, type Verdict } from '../test/hosting/profile/services/check-reading.ts';
import { loadServiceFixtures } from '../test/hosting/profile/services/service-fixture.ts';

const marker = '<!-- services -->';

const signs: Readonly<Record<Verdict, string>> = {
  right: '✓',
  partly: 'partly',
  'not shown': 'raw',
  lost: 'missing',
  wrong: 'WRONG',
  absent: '',
};

/** Returns docs/services.md with a table of what is read of each service at its end. */
export function renderServicesPage(page: string): string {
  const text = page.slice(0, page.indexOf(marker) + marker.length);
  return `${text}\n\n${renderServicesTable()}`;
}

/** Renders a table of services and readings from the tests' payloads. */
function renderServicesTable(): string {
  const services = loadServiceFixtures();
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const checks = allReadings.map((reading) => ({
    label: reading.label,
    verdicts: services.map((service) => checkReading(reading, service).verdict),
  }));
  const count = (verdict: Verdict) =>
    checks.flatMap(({ verdicts }) => verdicts).filter((one) => one === verdict).length;
  return [
    '✓: read as a person reads it. partly: some entries are left out. raw: not understood, shown under its own name. missing: not understood, and not',
    'shown either. An empty cell: the service has no such fact, and none is stated.',
    '',
    `In all: ${count('right')} right, ${count('partly')} partly, ${count('not shown')} raw, ${count('lost')} missing, ${count('wrong')} wrong.`,
    '',
    row(['reading', ...services.map(({ service }) => service)]),
    row(['reading', ...services].map(() => '---')),
    ...checks.map(({ label, verdicts }) => row([label, ...verdicts.map((verdict) => signs[verdict])])),
    '',
  ].join('\n');
}
