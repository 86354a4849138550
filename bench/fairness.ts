import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { readStartFlags, signSlashCommand, startBenchEnvironment } from './bench-environment.ts';
import { bundleApp } from './bundle-apps.ts';
import { percentile, printTable } from './statistics.ts';

const floodCount = 3_000;
const floodMs = 10_000;
/** The commands of the others, spread over the flood. */
const otherCount = 10;
/** Longest wait for responses after the last command. */
const patienceMs = 120_000;

const people = {
  'the person who floods': { teamId: 'T0ACME', userId: 'U0ALICE' },
  'a colleague': { teamId: 'T0ACME', userId: 'U0BOB' },
  'another workspace': { teamId: 'T0GLOBEX', userId: 'U0GWEN' },
} as const;
type Person = keyof typeof people;

/** Measures what others wait while one person sends 3,000 `/vps help` in 10 s. */
export async function benchFairness(): Promise<void> {
  const answeredAtMs = new Map<string, number>();
  const environment = await startBenchEnvironment(({ id, atMs }) => answeredAtMs.set(id, atMs));
  const app = await environment.start(await bundleApp('rackhand-app'), readStartFlags());
  const pool = new Pool(`http://127.0.0.1:${app.port}`, { connections: 200 });

  async function send(person: Person, id: string, dueMs: number) {
    await delay(Math.max(0, dueMs - performance.now()));
    const signed = signSlashCommand('help', {
      id,
      responseUrl: environment.responseUrl(id),
      ...people[person],
    });
    const sentMs = performance.now();
    const response = await pool.request({ method: 'POST', path: '/slack/events', ...signed });
    const text = await response.body.text();
    return { id, sentMs, ackMs: performance.now() - sentMs, isRejected: text !== '' };
  }

  const startMs = performance.now() + 500;
  const spread = (person: Person, count: number, prefix: string) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        send(person, `${prefix}.${index}`, startMs + ((index + 0.5) * floodMs) / count),
      ),
    );
  const results = await Promise.all([
    spread('the person who floods', floodCount, 'flood'),
    spread('a colleague', otherCount, 'colleague'),
    spread('another workspace', otherCount, 'other'),
  ]);
  const accepted = results.flat().filter(({ isRejected }) => !isRejected);
  const untilMs = performance.now() + patienceMs;
  while (performance.now() < untilMs && !accepted.every(({ id }) => answeredAtMs.has(id))) await delay(20);
  await pool.close();
  await app.kill();
  await environment.close();

  console.log(`\n${floodCount} /vps help of one person in ${floodMs / 1000} s, and ${otherCount} of others`);
  printTable(
    ['who', 'answered', 'turned away', 'ack p50, ms', 'slowest ack', 'answer p50', 'slowest answer'],
    Object.keys(people).map((name, index) => {
      const commands = results[index] ?? [];
      const answers = commands.flatMap(({ id, sentMs }) => {
        const atMs = answeredAtMs.get(id);
        return atMs === undefined ? [] : [atMs - sentMs];
      });
      const acks = commands.map(({ ackMs }) => ackMs);
      return [
        name,
        `${answers.length} of ${commands.length}`,
        `${commands.filter(({ isRejected }) => isRejected).length}`,
        percentile(acks, 0.5).toFixed(1),
        Math.max(...acks).toFixed(0),
        percentile(answers, 0.5).toFixed(0),
        Math.max(...answers).toFixed(0),
      ];
    }),
  );
}

if (import.meta.main) await benchFairness();
