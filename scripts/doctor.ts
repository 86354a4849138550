import { parseArgs } from 'node:util';
import { RackhandError } from '../src/errors.ts';
import { formatCheckLine } from './doctor/check-line.ts';
import { examineService } from './doctor/examine-service.ts';
import { runChecks } from './doctor/run-checks.ts';

const usage = `Usage: npm run doctor [-- --json | --values | --profile FILE]

Checks the settings and everything that Rackhand uses. Exits with code 1 if a check
finds an error. --json prints one JSON object per line.

With --values, reads one payload of each kind with HOSTING_API_KEY from HOSTING_API_URL instead,
and prints where Rackhand finds each value. If HOSTING_PROFILE is set, its file is checked. With
--profile, the fields are also written to FILE for HOSTING_PROFILE.`;

try {
  const { values: options } = parseArgs({
    options: {
      profile: { type: 'string' },
      values: { type: 'boolean' },
      json: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (options.help) console.log(usage);
  else if (options.values || options.profile !== undefined) await examineService(options.profile);
  else
    for await (const line of runChecks(process.env)) {
      console.log(options.json ? JSON.stringify(line) : formatCheckLine(line));
      if (line.status === 'error') process.exitCode = 1;
    }
} catch (error) {
  const isOwn = error instanceof RackhandError || (error instanceof Error && 'code' in error);
  console.error(isOwn ? error.message : error);
  if (!(error instanceof RackhandError) && isOwn) console.error(`\n${usage}`);
  process.exitCode = 1;
}
