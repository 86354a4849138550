import { parseArgs } from 'node:util';
import { runChaos } from './chaos.ts';

const usage = `Usage: npm run chaos [-- --minutes N --seed S --rate COMMANDS_PER_SECOND --faults kill,freeze,…]

Runs three replicas on PostgreSQL while faults happen, and checks what they have done and what
people see in Slack. Exits with code 1 if a guarantee was broken. The seed decides which faults happen, not when each process runs.`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    rate: { type: 'string', default: '0.4' },
    faults: { type: 'string' },
    help: { type: 'boolean' },
  },
});

const print = (line: string) => process.stdout.write(`${line}\n`);
if (values.help) print(usage);
else {
  const { violations, ...figures } = await runChaos({
    seed: Number(values.seed),
    durationMs: Number(values.minutes) * 60_000,
    rate: Number(values.rate),
    ...(values.faults && { only: values.faults.split(',') }),
    print: (line) => print(`${new Date().toISOString().slice(11, 19)} ${line}`),
  });
  for (const violation of violations) print(`VIOLATION ${violation}`);
  print(JSON.stringify(figures));
  process.exitCode = violations.length === 0 ? 0 : 1;
}
