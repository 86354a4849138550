import type { Config } from '../../src/config.ts';
import { formatList } from '../../src/format-list.ts';
import { findMappings } from '../../src/hosting/payloads/found-mappings.ts';
import { knownValues } from '../../src/hosting/payloads/known-values.ts';
import type { CheckLine } from './check-line.ts';
import { findProfileProblems, readPayloads } from './examine-service.ts';

const check = 'service profile';

/** Reads one payload of each kind, and checks what Rackhand finds in them. */
export async function* checkServiceProfile({ workspace, hosting }: Config): AsyncGenerator<CheckLine> {
  if (!workspace?.apiKey) return;
  const { payloads } = await readPayloads(hosting, workspace.apiKey);
  const { missing, unreadable } = findProfileProblems(payloads, hosting.profile ?? []);
  const problems = [...missing, ...unreadable];
  const found = payloads.flatMap(
    ({ endpoint, data, vpsName }) => findMappings(endpoint, data, vpsName).mappings,
  );
  if (problems.length > 0) {
    yield {
      check,
      status: 'error',
      message: `HOSTING_PROFILE names fields that the payloads don't have: ${formatList(problems, 'and')}. npm run doctor -- --values shows them.`,
    };
  } else if (!found.some(({ value }) => value === 'vps.names')) {
    yield {
      check,
      status: 'warning',
      message: "The names of the VPS aren't found. Correct them with npm run doctor -- --profile FILE.",
    };
  } else {
    yield {
      check,
      status: 'OK',
      message: `${found.length} of ${knownValues.length} values are found. npm run doctor -- --values lists them.`,
    };
  }
}
